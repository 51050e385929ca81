import Client
import CompositionModel
import Farm
import WireProtocol

/// Follows a job to its end and shows its progress.
struct JobWatcher: Sendable {
    let connection: CoordinatorConnection
    let display: ProgressDisplay
    /// The time for which an unreachable coordinator is waited for.
    var patience: Duration = .seconds(60)
    /// Whether what was fetched of a movie is kept when the rest does not come, so that a later command goes on there.
    var keepsPartialMovies = false
    /// What the user can do about a full disk of the farm; nil when the farm is somebody else's.
    var fullDiskAdvice: String?

    /// Follows the job until it is completed, failed or cancelled.
    /// - Returns: the job in its final state.
    /// - Throws: `ClientError` when the coordinator refuses, or stays away longer than ``patience``;
    ///   `CancellationError`.
    func follow(_ id: JobID) async throws -> JobView {
        let polling = JobPolling(patience: patience, clock: connection.clock) { [connection] in
            try await connection.waitForEnd(of: id)
        }
        return try await polling.run(onUnreachable: display.waiting) {
            let job = try await connection.job(id)
            display.show(job)
            return job.state.isFinal ? job : nil
        }
    }

    /// Follows the job, then fetches its movie and prints its warnings.
    /// - Parameter file: The file that the movie is written to; nil fetches no movie.
    /// - Throws: ``CommandFailure`` when the job failed or was cancelled, or the movie cannot be written; `ClientError`
    ///   as ``follow(_:)`` does; `CancellationError`.
    func deliver(_ id: JobID, to file: OutputFile?) async throws -> JobView {
        let job = try await follow(id)
        display.finish(job)
        switch job.state {
        case .completed: break
        case .cancelled: throw CommandFailure(.jobFailed, "Job \(id) was cancelled.")
        default:
            let failure = job.failure
            let status: ExitStatus = failure?.code == "no_space" ? .noSpace : .jobFailed
            let sentence = "Job \(id) failed: \(failure?.message ?? "no reason was given")"
            let advice = status == .noSpace ? fullDiskAdvice : nil
            throw CommandFailure(status, lines: [sentence] + [advice].compactMap(\.self))
        }
        if let file { try await fetch(job, to: file) }
        await warn(of: id)
        return job
    }

    /// Prints the job's warnings. The movie is delivered already: a coordinator that goes away now costs only the
    /// warnings.
    private func warn(of id: JobID) async {
        for line in TaskTable.warnings((try? await connection.tasks(of: id)) ?? []) { Console.error(line) }
    }
}
