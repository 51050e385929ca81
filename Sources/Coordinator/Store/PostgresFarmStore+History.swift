package import Farm
import Foundation
import PostgreSQL

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
}
