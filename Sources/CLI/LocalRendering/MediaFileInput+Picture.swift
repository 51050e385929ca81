import CompositionModel
import Planning
import Timing

// This extension turns the file's frames into picture tasks.
extension MediaFileInput {
    /// The task whose frame n is the file's frame n, for each n of `frames`.
    /// - Throws: ``CommandFailure`` when the plan has no picture; `TimeError` for a frame that the file does not have.
    func task(_ base: PictureTask, showing frames: [Int64]) throws -> PictureTask {
        guard let stream else { return base }
        var task = base
        // Each instruction has one frame, and a rate of 1 keeps the fractions small.
        task.frameRate = try FrameRate(1)
        task.frameCount = (frames.max() ?? 0) + 1
        task.instructions = try Set(frames).sorted().map { frame in
            try instruction(base, FrameRange(start: frame, count: 1), from: stream.time(ofFrame: frame))
        }
        return sized(task, stream)
    }

    /// The task that has all frames of `range` on the timeline of ``readRate``.
    /// - Parameter range: times in the file; nil for the whole file.
    /// - Throws: ``CommandFailure`` for a range shorter than a frame; `TimeError` for times out of reach.
    func task(_ base: PictureTask, range: TimeRange?) throws -> PictureTask {
        guard let stream else { return base }
        var (first, count) = (Int64(0), try readCount(stream))
        if let range {
            first = try readRate.frame(at: range.start).value
            count = try min(count, readRate.frame(at: range.start.adding(range.duration)).value) - first
            guard count > 0 else { throw CommandFailure(.usage, "--range is shorter than a frame of \(path).") }
        }
        var task = base
        (task.frameRate, task.frameCount) = (readRate, count)
        let start = try readRate.time(ofFrame: first)
        task.instructions = [try instruction(base, FrameRange(start: 0, count: count), from: start)]
        return sized(task, stream)
    }

    private func instruction(
        _ base: PictureTask,
        _ frames: FrameRange,
        from start: RationalTime
    ) throws -> SliceInstruction {
        guard var source = base.instructions.first?.layers.first?.from else {
            throw CommandFailure(.internalError, "\(path) was planned without a picture.")
        }
        source.start = start
        return SliceInstruction(frames: frames, layers: [SliceLayer(from: source)])
    }

    private func sized(_ task: PictureTask, _ stream: VideoStreamFacts) -> PictureTask {
        var task = task
        if let size = ownSize(stream) { task.size = size }
        return task
    }
}
