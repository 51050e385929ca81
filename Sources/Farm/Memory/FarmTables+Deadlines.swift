package import WireProtocol

extension FarmTables {
    /// The unfinished jobs whose deadlines are watched (``FarmStore/jobsWithDeadlines(limit:)``).
    package func jobsWithDeadlines(limit: Int, at now: FarmTime) -> [JobView] {
        let watched = jobs.map(\.record).compactMap { job in
            job.state.isFinal || job.isLateTold ? nil : job.deadline.map { (deadline: $0, id: job.id) }
        }
        return watched.sorted { ($0.deadline.milliseconds, $0.id) < ($1.deadline.milliseconds, $1.id) }
            .prefix(max(0, limit)).compactMap { job($0.id, at: now) }
    }

    /// Tells, once, that a job misses its deadline (``FarmStore/tellLate(_:)``).
    /// - Throws: ``FarmStoreError/unknownJob``.
    package mutating func tellLate(_ job: JobID, at now: FarmTime) throws(FarmStoreError) -> Bool {
        guard let index = jobIndex[job] else { throw .unknownJob }
        var decision = JobDecision(job: jobs[index].record)
        let isTold = decision.tellLate()
        write(decision.changes, at: now)
        return isTold
    }
}
