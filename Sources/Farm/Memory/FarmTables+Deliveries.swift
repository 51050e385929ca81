package import WireProtocol

extension FarmTables {
    /// The finished movies that have to be put where they go (``FarmStore/dueDeliveries(in:limit:)``).
    package func dueDeliveries(in roots: [String], limit: Int, at now: FarmTime) -> [DueDelivery] {
        let due = jobs.map(\.record).compactMap { job -> (due: FarmTime, delivery: DueDelivery)? in
            guard job.state == .completed, let artifact = job.artifact, let delivery = job.delivery,
                delivery.delivered == nil, delivery.due.map({ $0 <= now }) ?? true,
                roots.contains(where: { delivery.target.hasPrefix($0 + "/") })
            else { return nil }
            let found = DueDelivery(
                job: job.id,
                artifact: artifact,
                target: delivery.target,
                replaces: delivery.replaces
            )
            return (delivery.due ?? FarmTime(milliseconds: 0), found)
        }
        return due.sorted { ($0.due.milliseconds, $0.delivery.job) < ($1.due.milliseconds, $1.delivery.job) }
            .prefix(max(0, limit)).map(\.delivery)
    }

    /// Notes what came of putting a movie where it goes (``FarmStore/note(_:of:)``).
    /// - Throws: ``FarmStoreError/unknownJob``.
    package mutating func note(
        _ outcome: DeliveryOutcome,
        of job: JobID,
        at now: FarmTime
    ) throws(FarmStoreError) -> Bool {
        guard let index = jobIndex[job] else { throw .unknownJob }
        var decision = JobDecision(job: jobs[index].record)
        let isChanged = decision.note(outcome, at: now)
        write(decision.changes, at: now)
        return isChanged
    }

    /// The job whose movie goes to `target`, or is to be put there.
    func claimant(of target: String) -> JobID? {
        jobs.first { $0.record.claimsTarget && $0.record.delivery?.target == target }?.record.id
    }
}
