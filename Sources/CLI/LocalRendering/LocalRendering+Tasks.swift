import Ingest
import Planning

extension LocalRendering {
    /// The picture task of the whole, or of the range that was asked for.
    /// - Throws: ``CommandFailure`` for an input without pictures, and for a range shorter than a frame.
    func picture() throws -> PictureTask {
        let task = try plannedPicture()
        return try footage?.task(task, range: span) ?? task
    }

    /// A picture task that has at least `frames`, which count on the timeline, or in the media file.
    /// - Throws: ``CommandFailure`` for an input without pictures.
    func picture(showing frames: [Int64]) throws -> PictureTask {
        let task = try plannedPicture()
        return try footage?.task(task, showing: frames) ?? task
    }

    /// The picture task of the whole timeline.
    /// - Throws: ``CommandFailure`` for an input without pictures.
    func plannedPicture() throws -> PictureTask {
        guard let segment = plan.segments.first else {
            throw CommandFailure(.usage, "\(file.path) has no picture, so it has no frames.")
        }
        return segment.task
    }

    /// The sound task of the whole, or of the range that was asked for.
    /// - Throws: ``CommandFailure`` for an input without sound, and for a range shorter than a sample.
    func sound() throws -> SoundTask {
        guard let sound = plan.sound, sound.sampleCount > 0 else {
            throw CommandFailure(.usage, "There is no sound in \(file.path), so it has no samples.")
        }
        guard let footage else { return sound }
        return try isPlainSound ? footage.task(sound, alone: span) : footage.task(sound)
    }

    /// The tasks that measure the sound in at most `count` pieces, in order of time.
    /// - Throws: ``CommandFailure`` with the planner's sentence.
    func measures(_ order: MeasureOrder, count: Int) throws -> [MeasureTask] {
        do throws(PlanError) {
            return try Planner.measures(
                compiled.composition,
                output: 0,
                facts: compiled.facts,
                order: order,
                segmentCount: count
            ).map(\.task)
        } catch {
            throw CommandFailure(error.failure)
        }
    }

    /// The edit of which a farm makes `frames`, with the numbers that these frames have in it.
    /// - Throws: ``CommandFailure``.
    func edit(showing frames: [Int64]) throws -> (file: EditFile, frames: [Int64]) {
        try footage?.edit(showing: frames) ?? (file, frames)
    }
}
