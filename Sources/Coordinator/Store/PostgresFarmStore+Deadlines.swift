package import Farm
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func jobsWithDeadlines(limit: Int) async throws(FarmStoreError) -> [JobView] {
        try await transact { [policy] connection, _ in
            let condition = """
                job.deadline_ms IS NOT NULL AND NOT job.is_late_told
                AND job.state IN ('queued', 'rendering', 'stitching') ORDER BY job.deadline_ms, job.id LIMIT $1
                """
            let rows = try connection.query(JobViewQuery.select(condition, policy), [max(0, limit)])
            return try rows.map { try JobViewQuery.view($0) }
        }
    }

    @discardableResult
    package func tellLate(_ job: JobID) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            var rows = LockedRows()
            guard let record = try rows.lock(job, connection) else { throw FarmStoreError.unknownJob }
            var decision = JobDecision(job: record)
            let isTold = decision.tellLate()
            var writer = ChangeWriter(at: now)
            try writer.write(decision.changes, to: &rows, connection)
            try writer.finish(connection)
            return isTold
        }
    }
}
