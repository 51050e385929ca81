package import Farm
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    @discardableResult
    package func appendLog(
        _ lines: [LogLine],
        to attempt: AttemptID,
        by worker: WorkerID
    ) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            let held = "SELECT FROM attempt WHERE id = $1 AND worker = $2 AND (ended_ms IS NULL OR ended_ms >= $3)"
            let oldest = now.adding(milliseconds: -StoredLog.lateMilliseconds).milliseconds
            guard try !connection.query(held, [attempt.uuid, worker.uuid, oldest]).isEmpty else { return false }
            let insertion = """
                INSERT INTO attempt_log (attempt, written_ms) SELECT id, $2 FROM attempt WHERE id = $1
                ON CONFLICT DO NOTHING
                """
            _ = try connection.query(insertion, [attempt.uuid, now.milliseconds])
            let locked = "SELECT dropped, lines FROM attempt_log WHERE attempt = $1 FOR UPDATE"
            guard let row = try connection.query(locked, [attempt.uuid]).first else { return false }
            var log = StoredLog(dropped: try row.get("dropped"), lines: try row.json("lines"))
            log.append(lines)
            _ = try connection.query(
                "UPDATE attempt_log SET dropped = $2, lines = $3, byte_count = $4, written_ms = $5 WHERE attempt = $1",
                [attempt.uuid, log.dropped, try JSONColumn.text(log.lines), log.byteCount, now.milliseconds]
            )
            return true
        }
    }

    package func log(of attempt: AttemptID) async throws(FarmStoreError) -> StoredLog? {
        try await transact { connection, _ in
            let sql = """
                SELECT coalesce(dropped, 0) AS dropped, coalesce(lines, '[]') AS lines
                FROM attempt LEFT JOIN attempt_log ON attempt = id WHERE id = $1
                """
            guard let row = try connection.query(sql, [attempt.uuid]).first else { return nil }
            return StoredLog(dropped: try row.get("dropped"), lines: try row.json("lines"))
        }
    }

    @discardableResult
    package func trimLogs(to byteCount: Int64) async throws(FarmStoreError) -> Int {
        try await transact { connection, _ in
            let sql = """
                DELETE FROM attempt_log USING (
                    SELECT attempt, sum(byte_count) OVER (ORDER BY written_ms DESC, attempt DESC) AS bytes
                    FROM attempt_log
                ) AS aged
                WHERE attempt_log.attempt = aged.attempt AND bytes > $1
                """
            return try connection.query(sql, [byteCount]).affectedCount
        }
    }

    package func tally() async throws(FarmStoreError) -> FarmTally {
        try await transact { [policy] connection, now in
            var tally = FarmTally()
            let workers = """
                SELECT CASE WHEN last_seen_ms < $2 THEN 'silent' WHEN is_draining THEN 'draining'
                    WHEN EXISTS (SELECT FROM lease WHERE lease.worker = worker.id) THEN 'working' ELSE 'idle' END AS state,
                    count(*) AS count
                FROM worker WHERE NOT has_left AND last_seen_ms >= $1 AND kinds <> '{stitch}' GROUP BY 1
                """
            let oldest = now.adding(milliseconds: -policy.workerRetentionMilliseconds).milliseconds
            let silent = now.adding(milliseconds: -policy.workerAbsenceMilliseconds).milliseconds
            for row in try connection.query(workers, [oldest, silent]) {
                guard let state = FarmTally.WorkerState(rawValue: try row.get("state")) else { continue }
                tally.workers[state] = try row.get("count")
            }
            // By the partial index of the queue: tasks that are done cost nothing.
            let queued = """
                SELECT priority, count(*) AS count FROM task WHERE state = 'queued' AND is_open GROUP BY priority
                """
            for row in try connection.query(queued, []) {
                tally.queuedTasks[FarmTally.counted(try row.get("priority")), default: 0] += try row.get("count")
            }
            for row in try connection.query("SELECT state, count(*) AS count FROM job GROUP BY state", []) {
                guard let state = JobState(rawValue: try row.get("state")) else { continue }
                tally.jobs[state] = try row.get("count")
            }
            let oldestQueued: Int64? = try connection.query(
                "SELECT min(created_ms) AS created_ms FROM job WHERE state = 'queued' AND NOT is_paused",
                []
            ).first?.optional("created_ms")
            tally.oldestQueuedMilliseconds = oldestQueued.map { now.milliseconds - $0 }
            tally.leases = try connection.query("SELECT count(*) AS count FROM lease", []).first?.get("count") ?? 0
            return tally
        }
    }
}
