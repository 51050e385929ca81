import Client
import Foundation
import Shared

/// Follows a job to its end and shows how far it is.
struct JobWatcher: Sendable {
    let connection: CoordinatorConnection
    let display: ProgressDisplay
    /// How long an unreachable coordinator is waited for.
    var patience: Duration = .seconds(60)

    /// - Returns: the job in its final state.
    /// - Throws: `ClientError` when the coordinator stays away longer than `patience`, `CancellationError`.
    func follow(_ id: JobID) async throws -> JobView {
        var lastAnswer = ContinuousClock.now
        while true {
            do {
                let job = try await connection.job(id)
                lastAnswer = .now
                display.show(job)
                if job.state.isFinal { return job }
            } catch {
                try Task.checkCancellation()
                guard error.isTransient, lastAnswer.duration(to: .now) < patience else { throw error }
                display.waiting(error)
            }
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// Follows the job, then writes its movie.
    /// - Throws: ``CommandFailure`` when the job failed or was cancelled.
    func deliver(_ id: JobID, to file: OutputFile?) async throws -> JobView {
        let job = try await follow(id)
        display.finish(job)
        switch job.state {
        case .completed: break
        case .cancelled: throw CommandFailure(.jobFailed, "Job \(id) was cancelled.")
        default:
            let failure = job.failure
            let status: ExitStatus = failure?.code == "no_space" ? .noSpace : .jobFailed
            throw CommandFailure(status, "Job \(id) failed: \(failure?.message ?? "no reason was given") ")
        }
        try await file?.deliver { sink in try await connection.output(of: id, into: sink) }
        return job
    }
}
