import CompositionModel
import Planning
import Timing

// This extension turns the file's samples into sound tasks.
extension MediaFileInput {
    /// The task whose channels go to the same speakers as the file's.
    func task(_ base: SoundTask) -> SoundTask {
        var task = base
        if let sound, sound.channels > 2, sound.channels == base.channels {
            task.speakers = ChannelLayout(description: sound.channelLayout, count: sound.channels)?.speakers
        }
        return task
    }

    /// The task that has exactly the samples of `range`. A timeline would be as long as its frames.
    /// - Parameters:
    ///   - base: the task of the whole timeline of ``LocalRendering/Wanted/sound``.
    ///   - range: times in the file; nil for all samples up to the last one.
    /// - Throws: ``CommandFailure`` for a range shorter than a sample; `TimeError` for times out of reach.
    func task(_ base: SoundTask, alone range: TimeRange?) throws -> SoundTask {
        var task = task(base)
        guard let range else {
            let end = base.tracks.flatMap(\.segments).map { $0.start + $0.count }.max() ?? base.sampleCount
            task.sampleCount = max(1, min(base.sampleCount, end))
            return task
        }
        let unit = try RationalTime(1, Int64(base.sampleRate))
        let end = try range.start.adding(range.duration).count(of: unit).value
        task.firstSample = try range.start.count(of: unit).value
        task.sampleCount = end - task.firstSample
        guard task.sampleCount > 0 else {
            throw CommandFailure(.usage, "--range is shorter than a sample of \(path).")
        }
        return task
    }
}
