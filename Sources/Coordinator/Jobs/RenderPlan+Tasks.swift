import Farm
import Shared

extension RenderPlan {
    /// The tasks as stored: a picture task for each segment, one for the sound, and one that joins them.
    func newTasks() throws -> [NewTask] {
        var tasks = segments.enumerated().map { position, segment in
            NewTask(
                position: position,
                stage: 0,
                payload: .picture(segment.task),
                frames: segment.frames,
                startBorder: segment.startBorder,
                endBorder: segment.endBorder,
                key: segment.key,
                costMilliseconds: Int64(segment.estimatedCost * 1000)
            )
        }
        if let sound {
            let key = try ContentDigest(canonical: sound, prefix: "cutfarm/sound-key/1\n")
            let cost = sound.sampleCount * Int64(max(1, sound.tracks.count)) / Int64(sound.sampleRate) * 25
            tasks.append(
                NewTask(position: tasks.count, stage: 0, payload: .sound(sound), key: key, costMilliseconds: cost)
            )
        }
        let joining = NewTask(
            position: tasks.count,
            stage: 1,
            payload: .stitch(stitchTask()),
            costMilliseconds: 200 + frameCount / 10
        )
        return tasks + [joining]
    }
}
