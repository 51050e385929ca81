package import WireProtocol

/// The choice of the candidates that a poll is granted.
package enum GrantPolicy {
    /// Chooses the candidates that a poll is granted. A worker of other versions than a task is for never gets it. A
    /// worker that failed a task gets it again only when every other worker that may have it failed it too.
    /// - Parameters:
    ///   - candidates: the candidates in the order of the queue (``GrantCandidate/precedes(_:_:)``), without those that
    ///     earlier polls of the batch took.
    ///   - worker: the worker of the poll.
    ///   - workers: every worker that is ``FarmPolicy/isEligible(_:at:)`` now.
    /// - Returns: at most `poll.capacity` candidates, in the order of the queue.
    package static func choose(
        _ candidates: [GrantCandidate],
        for poll: LeasePoll,
        of worker: WorkerRecord,
        workers: [WorkerRecord]
    ) -> [GrantCandidate] {
        let fitting = candidates.lazy.filter { candidate in
            poll.kinds.contains(candidate.kind) && worker.has(candidate.versions) && mayTry(candidate, worker, workers)
        }
        return Array(fitting.prefix(max(0, poll.capacity)))
    }

    private static func mayTry(
        _ candidate: GrantCandidate,
        _ worker: WorkerRecord,
        _ workers: [WorkerRecord]
    ) -> Bool {
        guard candidate.failedWorkers.contains(worker.id) else { return true }
        return workers.allSatisfy { other in
            candidate.failedWorkers.contains(other.id) || !other.kinds.contains(candidate.kind)
                || !other.has(candidate.versions)
        }
    }
}
