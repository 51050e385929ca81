import Planning
import Timing
package import WireProtocol

extension FarmTables {
    /// The numbers of a period (``FarmStore/tally(of:)``).
    package func tally(of period: FarmPeriod, at now: FarmTime) -> FarmPeriodTally {
        let work = tasks.flatMap { row -> [PeriodWork] in
            row.attempts.compactMap { attempt -> PeriodWork? in
                guard let ended = attempt.ended, period.holds(ended), period.isAbout(jobRecord(row.record.job)) else {
                    return nil
                }
                return PeriodWork(row.record, attempt, until: ended)
            }
        }
        var totals = self.totals(of: period, at: now)
        totals.renderedFrames = work.map(\.frames).reduce(0, +)
        totals.workMilliseconds = work.map(\.milliseconds).reduce(0, +)
        return FarmPeriodTally(totals: totals, machines: Self.machines(work), slowest: Self.slowest(work))
    }

    private static func machines(_ work: [PeriodWork]) -> [ReportedMachine] {
        var machines: [String: ReportedMachine] = [:]
        for piece in work {
            let name = piece.attempt.workerName
            var machine =
                machines[name]
                ?? ReportedMachine(name: name, completed: 0, failed: 0, renderedFrames: 0, workMilliseconds: 0)
            if piece.attempt.state == .completed { machine.completed += 1 }
            if piece.attempt.state == .failed { machine.failed += 1 }
            machine.renderedFrames += piece.frames
            machine.workMilliseconds += piece.milliseconds
            machines[name] = machine
        }
        return machines.values.sorted { left, right in
            guard left.workMilliseconds == right.workMilliseconds else {
                return left.workMilliseconds > right.workMilliseconds
            }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
    }

    private static func slowest(_ work: [PeriodWork]) -> [FarmPeriodTally.JobWork] {
        var sums: [JobID: Int64] = [:]
        for piece in work { sums[piece.attempt.job, default: 0] += piece.milliseconds }
        let jobs = sums.map { FarmPeriodTally.JobWork(job: $0.key, milliseconds: $0.value) }
        let sorted = jobs.sorted { left, right in
            left.milliseconds == right.milliseconds ? left.job < right.job : left.milliseconds > right.milliseconds
        }
        return Array(sorted.prefix(FarmReport.mostSlow))
    }

    private func totals(of period: FarmPeriod, at now: FarmTime) -> ReportTotals {
        var totals = ReportTotals()
        for job in jobs.map(\.record) where period.isAbout(job) {
            if !job.state.isFinal { totals.unfinished += 1 }
            if job.isUndelivered { totals.undelivered += 1 }
            if job.isLate(in: period, at: now) { totals.late += 1 }
            guard let finished = job.finished, period.holds(finished) else { continue }
            switch job.state {
            case .completed:
                totals.completed += 1
                totals.frames += job.frameCount
                totals.copiedFrames += job.copying?.copiedCount ?? 0
                totals.bytes += job.byteCount ?? 0
            case .failed: totals.failed += 1
            case .cancelled: totals.cancelled += 1
            case .queued, .rendering, .stitching: break
            }
        }
        return totals
    }

    /// The jobs of a list of a report (``FarmStore/jobs(of:in:limit:)``).
    package func jobs(
        of list: FarmPeriodList,
        in period: FarmPeriod,
        limit: Int,
        at now: FarmTime
    ) -> [JobView] {
        let all = jobs.map(\.record).filter(period.isAbout)
        func lastFirst(_ condition: (JobRecord) -> Bool) -> [JobRecord] {
            all.filter(condition).sorted {
                ($1.finished?.milliseconds ?? 0, $1.id) < ($0.finished?.milliseconds ?? 0, $0.id)
            }
        }
        func ended(as state: JobState) -> [JobRecord] {
            lastFirst { $0.state == state && $0.finished.map(period.holds) == true }
        }
        let chosen =
            switch list {
            case .completed: ended(as: .completed)
            case .failed: ended(as: .failed)
            case .late: lastFirst { $0.isLate(in: period, at: now) }
            case .unfinished: all.filter { !$0.state.isFinal }.sorted { $0.id < $1.id }
            case .undelivered: all.filter(\.isUndelivered).sorted { $0.id < $1.id }
            }
        return chosen.prefix(max(0, limit)).compactMap { job($0.id, at: now) }
    }
}

/// An attempt that ended in a period.
private struct PeriodWork {
    let attempt: AttemptRecord
    let milliseconds: Int64
    /// The frames that it rendered.
    let frames: Int64

    init(_ task: TaskRecord, _ attempt: AttemptRecord, until ended: FarmTime) {
        self.attempt = attempt
        milliseconds = max(0, ended.milliseconds(since: attempt.started))
        let isPicture = [.picture, .stills].contains(task.kind) && attempt.state == .completed
        frames = isPicture ? max(0, (task.frames?.count ?? 0) - (task.copiedCount ?? 0)) : 0
    }
}

extension FarmPeriod {
    fileprivate func holds(_ time: FarmTime) -> Bool { since <= time && time < until }

    fileprivate func isAbout(_ job: JobRecord?) -> Bool { owner == nil || job?.owner == owner }
}

extension JobRecord {
    /// Whether it missed its deadline (``FarmPeriodList/late``).
    fileprivate func isLate(in period: FarmPeriod, at now: FarmTime) -> Bool {
        guard let deadline else { return false }
        let hasPassed = deadline < min(period.until, now)
        guard let finished else { return hasPassed }
        return switch state {
        case .completed: period.holds(finished) && finished > deadline
        case .failed: hasPassed && period.holds(max(finished, deadline))
        case .cancelled, .queued, .rendering, .stitching: false
        }
    }

    /// Whether its finished movie does not lie where it goes yet.
    fileprivate var isUndelivered: Bool { state == .completed && delivery != nil && delivery?.delivered == nil }
}
