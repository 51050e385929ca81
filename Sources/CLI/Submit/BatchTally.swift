import Synchronization
import WireProtocol

/// What a batch has come to so far. Its lines are read and sent at the same time, and both note what came of them.
final class BatchTally: Sendable {
    private struct State {
        var submitted: [EditSubmitter.Submitted] = []
        var ended: Set<JobID> = []
        var refused = 0
        var failed = 0
        var failure: CommandFailure?
    }

    private let state = Mutex(State())

    var submitted: [EditSubmitter.Submitted] { state.withLock(\.submitted) }
    /// The number of lines that were refused.
    var refused: Int { state.withLock(\.refused) }
    /// The number of jobs that failed.
    var failed: Int { state.withLock(\.failed) }
    /// The first failure, without its lines.
    var failure: CommandFailure? { state.withLock(\.failure) }
    /// The jobs that were not followed to their end.
    var running: [JobID] {
        state.withLock { state in state.submitted.map(\.job.id).filter { !state.ended.contains($0) } }
    }

    func add(_ submitted: EditSubmitter.Submitted) { state.withLock { $0.submitted.append(submitted) } }

    /// Notes that a job of ``submitted`` was followed to its end.
    func end(_ job: JobID) { state.withLock { _ = $0.ended.insert(job) } }

    /// Prints why a job failed, so that the others can be followed.
    /// - Throws: The failure when it stops everything.
    func fail(_ failure: CommandFailure) throws {
        try note(failure)
        state.withLock { $0.failed += 1 }
    }

    /// Prints a failure, so that the other lines can go on.
    /// - Throws: The failure when it stops everything: an unreachable farm, or an interruption.
    func note(_ failure: CommandFailure) throws {
        guard failure.status != .unreachable, failure.status != .interrupted else { throw failure }
        for line in failure.lines { Console.error(line.visible) }
        state.withLock { state in
            guard state.failure == nil else { return }
            state.failure = CommandFailure(failure.status)
            state.failure?.mayPass = failure.mayPass
        }
    }

    /// Prints what is wrong with a line, so that the other lines can go on.
    /// - Throws: The failure when it stops everything: that of the only line, or a farm that does not accept the
    ///   token.
    func refuse(_ error: any Error, _ isOnly: Bool) throws {
        let failure = try CommandFailure.recognised(error)
        // The jobs that a lone edit made before its failure are still followed.
        guard !isOnly || !submitted.isEmpty, failure.status != .notAllowed else { throw failure }
        try note(failure)
        state.withLock { $0.refused += 1 }
    }
}
