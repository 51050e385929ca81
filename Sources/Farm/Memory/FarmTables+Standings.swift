import Timing
package import WireProtocol

extension FarmTables {
    /// The number of jobs of each kind (``FarmStore/summary(owner:search:)``).
    package func summary(owner: String?, search: String?) -> JobSummary {
        let filter = JobFilter(owner: owner, search: search)
        return jobs.map(\.record).filter(filter.selects).reduce(into: JobSummary()) {
            $0.add($1.state, isPaused: $1.isPaused)
        }
    }

    /// The standings of unfinished jobs (``FarmStore/standings(of:)``).
    package func standings(of wanted: [JobID], at now: FarmTime) -> [JobID: JobStanding] {
        let unfinished = jobs.map(\.record).filter { !$0.state.isFinal }
        var standings: [JobID: JobStanding] = [:]
        for job in unfinished where wanted.contains(job.id) {
            let others = unfinished.filter { !$0.isHeldBack && $0.owner == job.owner && !job.isHeldBack }
            let efforts = efforts(of: job.id, at: now)
            standings[job.id] = JobStanding(
                higher: others.count { $0.priority > job.priority },
                earlier: others.count { $0.priority == job.priority && $0.id < job.id },
                held: rows(of: job.id).reduce(0) { count, row in
                    count + row.attempts.count { $0.state == .live && !LeaseExpiry.hasExpired($0, bySweepAt: expiry) }
                },
                costMilliseconds: efforts.isEmpty
                    ? 0 : rows(of: job.id).reduce(0) { $0 + $1.record.costMilliseconds },
                efforts: efforts,
                auditing: Array(
                    rows(of: job.id).map(\.record).filter { $0.state == .queued && !$0.claims.isEmpty }
                        .prefix(JobStanding.mostAudits).map { AuditWait(position: $0.position, claims: $0.claims) }
                )
            )
        }
        return standings
    }

    /// Up to `positions.count` tasks of a job (``FarmStore/tasks(of:at:)``).
    package func tasks(of job: JobID, at positions: [Int]) -> [TaskView] {
        tasks(of: job).filter { positions.contains($0.position) }
    }

    private func efforts(of job: JobID, at now: FarmTime) -> [TaskEffort] {
        let oldest = now.adding(milliseconds: -JobPace.windowMilliseconds).date
        let last = events.lazy.filter { $0.job == job }.suffix(JobStanding.mostEvents)
        let recent = Set(
            last.filter { $0.state == TaskState.completed.rawValue && $0.at >= oldest }.compactMap(\.task)
        )
        return rows(of: job).flatMap { row in
            row.attempts.filter { $0.state == .live || $0.state == .completed && recent.contains(row.record.id) }
                .map { row.record.effort(of: $0) }
        }.sorted()
    }
}

extension TaskRecord {
    fileprivate func effort(of attempt: AttemptRecord) -> TaskEffort {
        TaskEffort(
            position: position,
            frames: kind == .picture || kind == .stills ? frames?.count ?? 0 : 0,
            costMilliseconds: costMilliseconds,
            started: attempt.started,
            ended: attempt.ended,
            permille: attempt.state == .live ? attempt.permille : 1000
        )
    }
}
