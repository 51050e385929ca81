package import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension PostgresFarmStore {
    package func forget(finishedBefore age: Int64, limit: Int) async throws(FarmStoreError) -> Int {
        try await transact { connection, now in
            let oldest = now.adding(milliseconds: -age).milliseconds
            let jobs = try connection.query(
                """
                WITH due AS MATERIALIZED (
                    SELECT id FROM job WHERE finished_ms < $1 AND NOT is_forgotten
                    ORDER BY finished_ms LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
                )
                UPDATE job SET is_forgotten = true FROM due WHERE job.id = due.id RETURNING job.id
                """,
                [oldest, max(0, limit)]
            ).map { try $0.get("id", as: UUID.self) }
            let history = [
                Statement("DELETE FROM event WHERE job = ANY($1::uuid[])", [jobs]),
                Statement("DELETE FROM attempt WHERE job = ANY($1::uuid[])", [jobs]),
            ]
            // Every registration is a row, on an idle farm too; one that nothing names any more is of no use.
            let registrations = Statement(
                """
                DELETE FROM worker WHERE last_seen_ms < $1
                    AND NOT EXISTS (SELECT FROM attempt WHERE attempt.worker = worker.id)
                """,
                [oldest]
            )
            try connection.batch((jobs.isEmpty ? [] : history) + [registrations])
            return jobs.count
        }
    }

    package func prune(limit: Int) async throws(FarmStoreError) -> Int {
        var count = 0
        // A job at a time: one with a hundred thousand tasks takes seconds.
        while count < limit, try await pruneJob() { count += 1 }
        return count
    }

    /// The condition that a job is ``JobRecord/isPrunable`` and was not pruned.
    static let isPrunable = """
        finished_ms IS NOT NULL AND pruned_tasks IS NULL AND (state = 'cancelled' OR cardinality(remaining) > 1)
        """

    /// Removes the tasks and documents of the next job that its owner may not keep.
    /// - Returns: false when there is none.
    private func pruneJob() async throws(FarmStoreError) -> Bool {
        try await transact { [policy] connection, _ in
            let sql = """
                SELECT id FROM (
                    SELECT id, finished_ms, state, sum(task_count) OVER kept AS tasks, sum(document_bytes) OVER kept AS bytes
                    FROM job WHERE \(Self.isPrunable)
                    WINDOW kept AS (PARTITION BY owner ORDER BY state = 'cancelled', finished_ms DESC, id DESC)
                ) AS ended
                WHERE tasks > $1 OR bytes > $2 ORDER BY state = 'cancelled' DESC, finished_ms, id LIMIT 1
                """
            let due = try connection.query(sql, [policy.history.tasks, policy.history.bytes]).first
            guard let job = try due?.get("id", as: UUID.self) else { return false }
            // Another coordinator may have pruned it since, or somebody retried it.
            let locked = "SELECT * FROM job WHERE id = $1 AND \(Self.isPrunable) FOR NO KEY UPDATE"
            guard try connection.query(locked, [job]).first != nil,
                let row = try connection.query(JobViewQuery.select("job.id = $1", policy), [job]).first
            else { return true }
            let view = try JobViewQuery.view(row)
            try connection.batch([
                Statement(
                    "UPDATE job SET pruned_tasks = $2, pruned_permille = $3, is_forgotten = true WHERE id = $1",
                    [job, try JSONColumn.text(view.tasks), view.permille]
                ),
                Statement("DELETE FROM event WHERE job = $1", [job]),
                Statement("DELETE FROM attempt WHERE job = $1", [job]),
                Statement("DELETE FROM task_payload USING task WHERE task = task.id AND task.job = $1", [job]),
                Statement("DELETE FROM task WHERE job = $1", [job]),
                Statement("DELETE FROM job_document WHERE job = $1", [job]),
            ])
            return true
        }
    }
}
