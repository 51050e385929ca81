import Client
import CompositionModel
import Farm
import Foundation
import Ingest
import Planning
import WireProtocol

/// Measures the sound of an edit or a file on a farm, as one job with a task per piece.
struct FarmMeasures: Sendable {
    let connection: CoordinatorConnection
    let submitter: EditSubmitter
    let rendering: LocalRendering
    var display = ProgressDisplay(json: false)
    /// The time for which an unreachable coordinator is waited for.
    var patience: Duration = .seconds(60)

    /// Measures the sound and fetches the measurements.
    /// - Parameters:
    ///   - order: what is measured of the sound of ``rendering``.
    ///   - folder: the folder to which the measurements are written.
    /// - Returns: a file for each piece, in order of time.
    /// - Throws: `CancellationError`, after which the job is cancelled; ``CommandFailure`` or `ClientError` when there
    ///   is no job, it failed, or the farm stays away.
    func pieces(_ order: MeasureOrder, in folder: String) async throws -> [String] {
        let job = try await submitter.submit(rendering.file, measure: order, range: rendering.range)
        return try await connection.cancelling(job.id) {
            var watcher = JobWatcher(connection: connection, display: display)
            watcher.patience = patience
            _ = try await watcher.deliver(job.id, to: nil)
            let schedule = RetrySchedule.farm(for: patience)
            let tasks = try await schedule.run(on: connection.clock) { try await connection.tasks(of: job.id) }
            var paths: [String] = []
            for task in tasks.sorted(by: { $0.position < $1.position }) {
                let bytes = try await schedule.run(on: connection.clock) {
                    try await connection.measured(of: job.id, task: task.id)
                }
                paths.append(try write(bytes, of: task, to: folder))
            }
            return paths
        }
    }

    /// Writes the measurement of a task into the folder.
    /// - Returns: The path of the measurement.
    private func write(_ bytes: [UInt8], of task: TaskView, to folder: String) throws -> String {
        guard task.artifact == ContentDigest(of: Data(bytes)) else {
            throw CommandFailure(.internalError, "A piece arrived with other bytes than the farm recorded.")
        }
        let path = folder + "/piece-\(task.position)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}

extension RenderLocationOptions {
    /// The measurement on the named farm.
    /// - Returns: Nil when no farm is named.
    /// - Throws: ``CommandFailure`` or `ClientError`, as ``submitter(_:)`` does.
    func measures(_ rendering: LocalRendering, _ local: LocalMediaOptions) throws -> FarmMeasures? {
        try submitter(local).map { FarmMeasures(connection: $0.connection, submitter: $0, rendering: rendering) }
    }
}
