package import WireProtocol

/// The choice of the candidates that a poll is granted.
package enum GrantPolicy {
    /// What was chosen for a poll.
    package struct Choice: Sendable {
        /// At most as many as the poll has capacity, in the order of the turns.
        package var picks: [GrantCandidate] = []
        /// The turns after the picks.
        package var turns: OwnerTurns
        /// The owners of whom there was nothing more that the worker may have, when it was their turn. Had the store
        /// more of them than it gave, the choice would be another.
        package var exhausted: Set<String> = []
    }

    /// Chooses the candidates that a poll is granted: slot by slot from the owner whose last turn is longest ago (of those
    /// who had none, from the one with the oldest job), and of that owner's the first in the queue. A worker of other
    /// versions than a task is for never gets it, nor one that lacks what its job requires, or whose machine has rendered it for its audit. Of tasks that make the same part one is picked: the others wait for it. A
    /// worker that failed a task gets it again only when every other worker
    /// that may have it failed it too.
    /// - Parameters:
    ///   - candidates: the candidates in the order of the queue (``GrantCandidate/precedes(_:_:)``), without those that
    ///     earlier polls of the batch took.
    ///   - worker: the worker of the poll.
    ///   - workers: every worker that is ``FarmPolicy/isEligible(_:at:)`` now.
    ///   - turns: whose turn it is.
    package static func choose(
        _ candidates: [GrantCandidate],
        for poll: LeasePoll,
        of worker: WorkerRecord,
        workers: [WorkerRecord],
        turns: OwnerTurns = OwnerTurns()
    ) -> Choice {
        var choice = Choice(turns: turns)
        guard poll.capacity > 0 else { return choice }
        var lanes = Dictionary(grouping: candidates) { $0.owner }.mapValues { $0[...] }
        var making: Set<PartName> = []
        for owner in lanes.keys { advance(&lanes[owner], poll, worker, workers, making) }
        while choice.picks.count < poll.capacity {
            for (owner, lane) in lanes where lane.isEmpty {
                choice.exhausted.insert(owner)
                lanes[owner] = nil
            }
            guard let owner = next(lanes, choice.turns), let pick = lanes[owner]?.popFirst() else { break }
            choice.picks.append(pick)
            choice.turns.take(owner, joining: pick.kind == .stitch)
            if let part = pick.partName { making.insert(part) }
            for owner in lanes.keys { advance(&lanes[owner], poll, worker, workers, making) }
        }
        choice.exhausted.formUnion(lanes.filter(\.value.isEmpty).keys)
        return choice
    }

    /// The owner whose turn it is, of those who have something to grant.
    private static func next(_ lanes: [String: ArraySlice<GrantCandidate>], _ turns: OwnerTurns) -> String? {
        let heads = lanes.compactMap { owner, lane in
            lane.first.map { (turns.number(owner, joining: $0.kind == .stitch), $0.job, owner) }
        }
        return heads.min { $0 < $1 }?.2
    }

    /// Passes over what the worker may not have.
    private static func advance(
        _ lane: inout ArraySlice<GrantCandidate>?,
        _ poll: LeasePoll,
        _ worker: WorkerRecord,
        _ workers: [WorkerRecord],
        _ making: Set<PartName>
    ) {
        lane = lane?.drop { candidate in
            !poll.kinds.contains(candidate.kind) || !worker.has(candidate.versions)
                || candidate.witnesses.isEmpty && candidate.partName.map(making.contains) ?? false
                || !candidate.suits(worker)
                || !mayTry(candidate, worker, workers)
        }
    }

    private static func mayTry(
        _ candidate: GrantCandidate,
        _ worker: WorkerRecord,
        _ workers: [WorkerRecord]
    ) -> Bool {
        guard candidate.failedWorkers.contains(worker.id) else { return true }
        return workers.allSatisfy { other in
            candidate.failedWorkers.contains(other.id) || !other.kinds.contains(candidate.kind)
                || !other.has(candidate.versions) || !candidate.suits(other)
        }
    }
}
