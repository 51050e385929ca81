import Client
import Foundation
import Shared
import Synchronization

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
            throw CommandFailure(status, "Job \(id) failed: \(failure?.message ?? "no reason was given")")
        }
        if let file { try await fetch(job, to: file) }
        await warn(of: id)
        return job
    }

    /// The movie is there: a coordinator that goes away now takes nothing but the warnings with it.
    private func warn(of id: JobID) async {
        for line in TaskTable.warnings((try? await connection.tasks(of: id)) ?? []) { Console.error(line) }
    }

    /// Fetches the movie, again when the coordinator goes away meanwhile.
    func fetch(_ job: JobView, to file: OutputFile) async throws {
        let began = ContinuousClock.now
        while true {
            do {
                return try await fetchOnce(job, to: file)
            } catch let error as ClientError {
                guard error.isTransient, began.duration(to: .now) < patience else { throw error }
                display.waiting(error)
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    /// - Throws: ``CommandFailure`` when the bytes are not those that the job's row names.
    private func fetchOnce(_ job: JobView, to file: OutputFile) async throws {
        let hasher = Mutex(ContentHasher())
        try await file.deliver { sink in
            try await connection.output(of: job.id) { bytes in
                hasher.withLock { $0.update(bufferPointer: bytes) }
                try sink(bytes)
            }
            guard job.artifact == nil || hasher.withLock({ $0.finalize() }) == job.artifact else {
                throw CommandFailure(.internalError, "The movie arrived with other bytes than the farm recorded.")
            }
        }
    }
}
