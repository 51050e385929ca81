import CompositionModel
package import Farm
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func dueDeliveries(in roots: [String], limit: Int) async throws(FarmStoreError) -> [DueDelivery] {
        try await transact { connection, now in
            let sql = """
                SELECT id, artifact, target, replaces_target FROM job
                WHERE target IS NOT NULL AND delivered_ms IS NULL AND state = 'completed' AND output_removed_ms IS NULL
                    AND coalesce(delivery_due_ms, 0) <= $1 AND split_part(target, '/', 1) = ANY($2::text[])
                ORDER BY coalesce(delivery_due_ms, 0), id LIMIT $3
                """
            return try connection.query(sql, [now.milliseconds, roots, max(0, limit)]).compactMap { row in
                guard let artifact = try row.digest("artifact") else { return nil }
                return DueDelivery(
                    job: try row.identifier("id"),
                    artifact: artifact,
                    target: try row.get("target"),
                    replaces: try row.get("replaces_target")
                )
            }
        }
    }

    @discardableResult
    package func note(_ outcome: DeliveryOutcome, of job: JobID) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            var rows = LockedRows()
            guard let record = try rows.lock(job, connection) else { throw FarmStoreError.unknownJob }
            var decision = JobDecision(job: record)
            let isChanged = decision.note(outcome, at: now)
            var writer = ChangeWriter(at: now)
            try writer.write(decision.changes, to: &rows, connection)
            try writer.finish(connection)
            return isChanged
        }
    }
}
