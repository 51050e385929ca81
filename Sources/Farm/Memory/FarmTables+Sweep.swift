import WireProtocol

/// What a sweep does beside letting leases expire.
extension FarmTables {
    /// Follows windows that have changed and awaited jobs that have ended, job by job in the order of identifiers.
    mutating func followJobs(at now: FarmTime) {
        let changed = jobs.map(\.record).filter { !$0.state.isFinal && $0.isWindowDue(at: now) }
        let due = (Self.first(of: changed) + Self.first(of: settled())).uniqued().sorted { $0.id < $1.id }
        // What one of them comes to in this sweep, others follow in the next.
        let known = earlierJobs(of: due)
        for job in due {
            var unfinished = job.remaining.map { _ in 0 }
            for row in rows(of: job.id) where row.record.state != .completed { unfinished[row.record.stage] += 1 }
            var decision = JobDecision(job: job)
            decision.follow(job.awaitedJobs.compactMap { known[$0] }, unfinished: unfinished, at: now)
            write(decision.changes, at: now)
        }
    }

    private static func first(of jobs: [JobRecord]) -> ArraySlice<JobRecord> {
        jobs.sorted { $0.id < $1.id }.prefix(FarmPolicy.jobsPerSweep)
    }

    private func earlierJobs(of jobs: [JobRecord]) -> [JobID: EarlierJob] {
        let earlier = Set(jobs.flatMap(\.awaitedJobs)).compactMap { jobRecord($0)?.asEarlier }
        return Dictionary(uniqueKeysWithValues: earlier.map { ($0.id, $0) })
    }

    /// The jobs that await others of which something came.
    private func settled() -> [JobRecord] {
        jobs.map(\.record).filter { job in
            guard !job.awaitedJobs.isEmpty, pruned[job.id] == nil else { return false }
            let earlier = job.awaitedJobs.compactMap { jobRecord($0)?.asEarlier }
            if job.failedForEarlier { return !earlier.contains(where: \.hasFailed) }
            return !job.state.isFinal && earlier.contains(where: \.state.isFinal)
        }
    }
}
