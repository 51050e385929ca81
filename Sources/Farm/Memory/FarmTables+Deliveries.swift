import WireProtocol

extension FarmTables {
    /// Claims finished movies that have to be put where they go (``FarmStore/claimDeliveries(in:limit:)``).
    package mutating func claimDeliveries(in roots: [String], limit: Int, at now: FarmTime) -> [DueDelivery] {
        let due = jobs.map(\.record).compactMap { job -> (due: Int64, id: JobID)? in
            guard job.state == .completed, let delivery = job.delivery, delivery.delivered == nil,
                delivery.due.map({ $0 <= now }) ?? true,
                roots.contains(where: { delivery.target.hasPrefix($0 + "/") })
            else { return nil }
            return (delivery.due?.milliseconds ?? 0, job.id)
        }
        let first = due.sorted { ($0.due, $0.id) < ($1.due, $1.id) }.prefix(max(0, limit))
        return first.compactMap { claim($0.id, renewing: nil, at: now) }
    }

    /// Lets a claim last on (``FarmStore/renew(_:)``).
    /// - Throws: ``FarmStoreError/unknownJob``.
    package mutating func renew(_ claim: DueDelivery, at now: FarmTime) throws(FarmStoreError) -> DueDelivery? {
        guard jobIndex[claim.job] != nil else { throw .unknownJob }
        return self.claim(claim.job, renewing: claim.claimedUntil, at: now)
    }

    private mutating func claim(_ job: JobID, renewing claim: FarmTime?, at now: FarmTime) -> DueDelivery? {
        guard let index = jobIndex[job] else { return nil }
        var decision = JobDecision(job: jobs[index].record)
        let claimed = decision.claimDelivery(renewing: claim, at: now)
        write(decision.changes, at: now)
        return claimed
    }

    /// Notes what came of putting a movie where it goes (``FarmStore/note(_:of:)``).
    /// - Throws: ``FarmStoreError/unknownJob``.
    package mutating func note(
        _ outcome: DeliveryOutcome,
        of claim: DueDelivery,
        at now: FarmTime
    ) throws(FarmStoreError) -> Bool {
        guard let index = jobIndex[claim.job] else { throw .unknownJob }
        var decision = JobDecision(job: jobs[index].record)
        let isChanged = decision.note(outcome, by: claim.claimedUntil, at: now)
        write(decision.changes, at: now)
        return isChanged
    }

    /// The job whose movie goes to `target`, or is to be put there.
    func claimant(of target: String) -> JobID? {
        jobs.first { $0.record.claimsTarget && $0.record.delivery?.target == target }?.record.id
    }
}
