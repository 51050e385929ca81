package import WireProtocol

extension FarmTables {
    /// Adds lines to the log of an attempt of a worker (``FarmStore/appendLog(_:to:by:)``).
    /// - Returns: false for an attempt that is not the worker's, or no longer.
    package mutating func appendLog(
        _ lines: [LogLine],
        to attempt: AttemptID,
        by worker: WorkerID,
        at now: FarmTime
    ) -> Bool {
        guard let place = attemptIndex[attempt],
            let record = tasks[place].attempts.first(where: { $0.id == attempt }), record.worker == worker,
            record.ended.map({ now.milliseconds(since: $0) <= StoredLog.lateMilliseconds }) ?? true
        else { return false }
        var log = logs[attempt]?.log ?? StoredLog()
        log.append(lines)
        logs[attempt] = (log, now)
        return true
    }

    /// The log of an attempt; nil for an unknown one.
    package func log(of attempt: AttemptID) -> StoredLog? {
        attemptIndex[attempt].map { _ in logs[attempt]?.log ?? StoredLog() }
    }

    /// Removes the logs that were written to least recently beyond `byteCount` bytes.
    /// - Returns: the number of logs removed.
    package mutating func trimLogs(to byteCount: Int64) -> Int {
        let sorted = logs.sorted { left, right in
            (left.value.written, left.key) > (right.value.written, right.key)
        }
        var bytes: Int64 = 0
        var removed = 0
        for (attempt, entry) in sorted {
            bytes += Int64(entry.log.byteCount)
            guard bytes > byteCount else { continue }
            logs[attempt] = nil
            removed += 1
        }
        return removed
    }

    /// The numbers of what is there (``FarmStore/tally()``).
    package func tally(at now: FarmTime) -> FarmTally {
        var tally = FarmTally()
        let working = Set(tasks.flatMap(\.attempts).filter { $0.state == .live }.map(\.worker))
        for worker in workers where !worker.hasLeft && worker.kinds != [.stitch] {
            let silence = now.milliseconds(since: worker.lastSeen)
            guard silence <= policy.workerRetentionMilliseconds else { continue }
            let state: FarmTally.WorkerState =
                silence > policy.workerAbsenceMilliseconds
                ? .silent : worker.isDraining ? .draining : working.contains(worker.id) ? .working : .idle
            tally.workers[state, default: 0] += 1
        }
        for job in jobs {
            tally.jobs[job.record.state, default: 0] += 1
            guard pruned[job.record.id] == nil else { continue }
            for task in tasks[job.tasks] where task.record.state == .queued && task.record.isOpen(in: job.record) {
                tally.queuedTasks[FarmTally.counted(job.record.priority), default: 0] += 1
            }
        }
        let waiting = jobs.map(\.record).filter { $0.state == .queued && !$0.isPaused }
        tally.oldestQueuedMilliseconds = waiting.map { now.milliseconds(since: $0.created) }.max()
        tally.leases = tasks.reduce(0) { $0 + $1.attempts.count { $0.state == .live } }
        return tally
    }
}
