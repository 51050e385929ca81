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
            let places = jobIndex[job.id].map { jobs[$0].tasks } ?? 0..<0
            let others = unfinished.filter { !$0.isHeldBack && $0.owner == job.owner && !job.isHeldBack }
            let efforts = efforts(of: job.id, in: places, at: now)
            standings[job.id] = JobStanding(
                higher: others.count { $0.priority > job.priority },
                earlier: others.count { $0.priority == job.priority && $0.id < job.id },
                held: places.reduce(0) { count, place in
                    count
                        + tasks[place].attempts.count {
                            $0.state == .live && !LeaseExpiry.hasExpired($0, bySweepAt: expiry)
                        }
                },
                costMilliseconds: efforts.isEmpty
                    ? 0 : places.reduce(0) { $0 + tasks[$1].record.costMilliseconds },
                efforts: efforts,
                auditing: Array(
                    places.lazy
                        .filter { tasks[$0].record.state == .queued && !tasks[$0].record.claims.isEmpty }
                        .prefix(JobStanding.mostAudits)
                        .map { AuditWait(position: tasks[$0].record.position, claims: tasks[$0].record.claims) }
                )
            )
        }
        return standings
    }

    /// Up to `positions.count` tasks of a job (``FarmStore/tasks(of:at:)``).
    package func tasks(of job: JobID, at positions: [Int]) -> [TaskView] {
        tasks(of: job).filter { positions.contains($0.position) }
    }

    private func efforts(of job: JobID, in places: Range<Int>, at now: FarmTime) -> [TaskEffort] {
        let oldest = now.adding(milliseconds: -JobPace.windowMilliseconds).date
        let last = events.lazy.filter { $0.job == job }.suffix(JobStanding.mostEvents)
        let recent = Set(
            last.filter { $0.state == TaskState.completed.rawValue && $0.at >= oldest }.compactMap(\.task)
        )
        var efforts: [TaskEffort] = []
        for place in places {
            for attempt in tasks[place].attempts
            where attempt.state == .live
                || attempt.state == .completed && recent.contains(tasks[place].record.id)
            {
                efforts.append(tasks[place].record.effort(of: attempt))
            }
        }
        return efforts.sorted()
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
