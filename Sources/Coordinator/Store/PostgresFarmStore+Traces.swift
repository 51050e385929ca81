import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension PostgresFarmStore: TraceStore {
    func traces(of jobs: [JobID]) async throws(FarmStoreError) -> [JobID: TraceParent] {
        try await transact { connection, _ in
            let sql = "SELECT job, traceparent FROM job_trace WHERE job = ANY($1::uuid[])"
            return try connection.query(sql, [jobs.map(\.uuid)]).reduce(into: [:]) { found, row in
                found[try row.identifier("job")] = TraceParent(text: try row.get("traceparent", as: String.self))
            }
        }
    }

    func claimTrace() async throws(FarmStoreError) -> EndedTrace? {
        try await transact { connection, now in
            let sql = """
                UPDATE job_trace SET exported_ms = $1 WHERE job = (
                    SELECT job FROM job_trace WHERE exported_ms IS NULL AND ended_ms > $1::bigint - 3600000
                    ORDER BY ended_ms LIMIT 1 FOR UPDATE SKIP LOCKED
                ) RETURNING job, traceparent, submit_ms, plan_ms
                """
            guard let row = try connection.query(sql, [now.milliseconds]).first,
                let parent = TraceParent(text: try row.get("traceparent", as: String.self))
            else { return nil }
            let trace = JobTrace(
                parent: parent,
                submitMilliseconds: try row.get("submit_ms"),
                planMilliseconds: try row.get("plan_ms")
            )
            return EndedTrace(job: try row.identifier("job"), trace: trace)
        }
    }
}
