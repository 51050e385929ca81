import Client
import Foundation
import Ingest
import Shared

/// Lets a farm measure the sound of an edit or a file: one job, a task for each piece.
struct FarmMeasures: Sendable {
    let connection: CoordinatorConnection
    let submitter: EditSubmitter
    let pictures: LocalPictures
    var display = ProgressDisplay(json: false)
    /// How long an unreachable coordinator is waited for.
    var patience: Duration = .seconds(60)

    /// - Parameters:
    ///   - order: of the sound of `pictures`.
    ///   - folder: where what was measured goes.
    /// - Returns: a file for each piece, in order of time.
    /// - Throws: `CancellationError`, after which the job is cancelled; ``CommandFailure`` or `ClientError` when there
    ///   is no job, it failed, or the farm stays away.
    func pieces(_ order: MeasureOrder, in folder: String) async throws -> [String] {
        let job = try await submitter.submit(pictures.file, measure: order, range: pictures.range)
        return try await connection.cancelling(job.id) {
            var watcher = JobWatcher(connection: connection, display: display)
            watcher.patience = patience
            _ = try await watcher.deliver(job.id, to: nil)
            let tasks = try await insistently { () async throws(ClientError) in try await connection.tasks(of: job.id) }
            var paths: [String] = []
            for task in tasks.sorted(by: { $0.position < $1.position }) {
                let bytes = try await insistently { () async throws(ClientError) in
                    try await connection.measured(of: job.id, task: task.id)
                }
                guard task.artifact == ContentDigest(of: Data(bytes)) else {
                    throw CommandFailure(.internalError, "A piece arrived with other bytes than the farm recorded.")
                }
                paths.append(folder + "/piece-\(task.position)")
                try Data(bytes).write(to: URL(fileURLWithPath: folder + "/piece-\(task.position)"))
            }
            return paths
        }
    }

    /// Again while the coordinator is away.
    private func insistently<Value>(_ ask: () async throws(ClientError) -> Value) async throws -> Value {
        let began = ContinuousClock.now
        while true {
            do {
                return try await ask()
            } catch {
                guard error.isTransient, began.duration(to: .now) < patience else { throw error }
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
