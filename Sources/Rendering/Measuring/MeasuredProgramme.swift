package import CompositionModel
import Foundation
package import Planning
import Samples

/// What was measured of a programme before a piece of it is made: what the search for its gain has come to.
/// ```
///  round 0   │p│p│p│p│   as it is  ─► joined ─┐
///  round 1   │p│p│p│p│   with gain ─► joined ─┼─► LoudnessSearch ─► a gain, or what to measure next
///  round 2   │-│-│-│-│   not needed           ┘
/// ```
/// Whoever reads the same files comes to the same.
package struct MeasuredProgramme: Sendable, Hashable {
    private let search: LoudnessSearch
    private let programme: SoundProgramme

    /// - Parameter readings: for each round the files of its pieces in order of time, as ``MeasureRenderer`` wrote
    ///   them.
    /// - Throws: ``RenderError`` `invalid_measurement` for files that are not those of the programme of `task`,
    ///   `invalid_sound_task` for one that is of none.
    package init(of task: SoundTask, readings: [[String]]) throws {
        guard let programme = task.extent.programme, task.master?.loudness != nil else {
            throw RenderError.unmeasured
        }
        let search = try LoudnessSearch(after: readings, of: task) {
            try MeasureJoin.read($0, LoudnessPiece.init(decoding:))
        }
        guard let search else { throw RenderError.invalidMeasurement }
        (self.search, self.programme) = (search, programme)
    }

    /// What is measured next; nil when nothing is.
    /// - Parameter task: a task of a round after the first.
    package func next(_ task: MeasureTask) -> MeasureTask? {
        guard case .measure(let gain?) = search.step else { return nil }
        var task = task
        task.sound.loudness = gain
        return task
    }

    /// A piece with the gain that brings the whole to its loudness.
    /// - Parameter warn: told by the first piece alone that the loudness cannot be reached.
    /// - Throws: ``RenderError`` `invalid_measurement` when not enough was measured.
    package func adjusted(_ task: SoundTask, warn: (Failure) -> Void) throws -> SoundTask {
        guard case .done(let gain) = search.step else { throw RenderError.invalidMeasurement }
        if let failure = search.failure, task.firstSample == programme.firstSample { warn(failure) }
        var task = task
        task.loudness = gain
        return task
    }
}

extension MeasureRenderer {
    /// Measures a piece on the way to the loudness of its programme, with the gain that is to be tried; where no more
    /// has to be measured it hears nothing, and writes a file that says so.
    /// - Parameters:
    ///   - readings: for each round the files of its pieces, see ``MeasuredProgramme/init(of:readings:)``.
    ///   - others: see ``measure(_:sources:to:scratchFolder:progress:warn:)``.
    /// - Returns: samples of a channel that were measured.
    package static func measure(
        _ task: MeasureTask,
        readings: [[String]],
        sources: [RenderSource],
        to path: String,
        scratchFolder: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in }
    ) throws -> Int64 {
        var wanted = task
        if task.round != nil {
            guard let next = try MeasuredProgramme(of: task.sound, readings: readings).next(task) else {
                try StillFile.write(Data(LoudnessPiece.unneeded), to: path)
                progress(1000)
                return 0
            }
            wanted = next
        }
        return try measure(
            wanted,
            sources: sources,
            to: path,
            scratchFolder: scratchFolder,
            progress: progress,
            warn: warn
        )
    }
}

extension RenderError {
    fileprivate static let unmeasured = RenderError(
        "invalid_sound_task",
        "The task is no piece of a programme that is brought to a loudness; plan it again.",
        isPermanent: true
    )
}
