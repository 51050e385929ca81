import Farm
import Shared

extension RenderPlan {
    /// The tasks as stored: a picture task for each segment, one for each piece of the sound, and one that joins them.
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
        for (number, sound) in soundPieces.enumerated() {
            tasks.append(
                NewTask(
                    position: tasks.count,
                    stage: 0,
                    payload: .sound(sound.task),
                    frames: soundPieces.count > 1 ? try frames(ofSound: number) : nil,
                    key: sound.key,
                    costMilliseconds: Int64(sound.estimatedCost * 1000)
                )
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
    /// For people: the frames of the output that begin in a piece of its sound.
    private func frames(ofSound number: Int) throws -> FrameRange {
        let borders = soundPieces.map(\.start) + [sampleCount]
        let (start, end) = (try frame(at: borders[number]), try frame(at: borders[number + 1]))
        return FrameRange(start: start, count: end - start)
    }

    private func frame(at sample: Int64) throws -> Int64 {
        let time = try RationalTime(sample, Int64(sampleRate))
        return min(try frameRate.frame(at: time, rounding: .up).value, frameCount)
    }
}
