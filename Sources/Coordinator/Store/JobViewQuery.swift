import Farm
import PostgreSQL
import WireProtocol

/// Selects jobs with the sums over their tasks, from an index, without reading task rows.
enum JobViewQuery {
    /// The SQL.
    /// - Parameter condition: the condition on `job`, and everything that follows WHERE.
    static func select(_ condition: String, _ policy: FarmPolicy) -> String {
        """
        WITH able AS MATERIALIZED (\(able(policy)))
        SELECT job.*, sums.*, (SELECT traceparent FROM job_trace WHERE job_trace.job = job.id) AS traceparent, coalesce(live.done, 0)::bigint AS live_done,
            CASE WHEN job.open_stage IS NOT NULL AND job.versions IS NOT NULL AND EXISTS (\(isAwaited))
                THEN job.versions END AS awaited_versions
        FROM job
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE task.state = 'queued') AS queued,
                count(*) FILTER (WHERE task.state = 'leased') AS leased,
                count(*) FILTER (WHERE task.state = 'completed') AS completed,
                count(*) FILTER (WHERE task.state = 'failed') AS failed,
                count(*) FILTER (WHERE task.state = 'cancelled') AS cancelled,
                count(*) FILTER (WHERE task.is_taken) AS taken,
                sum(cost_ms)::bigint AS cost,
                coalesce(sum(cost_ms) FILTER (WHERE task.state = 'completed'), 0)::bigint AS cost_done
            FROM task WHERE task.job = job.id
        ) AS sums
        LEFT JOIN LATERAL (
            SELECT sum(task.cost_ms * best.permille) AS done
            FROM (SELECT task, max(permille) AS permille FROM lease WHERE lease.job = job.id GROUP BY task) AS best
            JOIN task ON task.id = best.task AND task.state <> 'completed'
        ) AS live ON true
        WHERE \(condition)
        """
    }

    /// Selects the versions that there are for each kind, of ``FarmPolicy/isEligible(_:at:)`` workers.
    private static func able(_ policy: FarmPolicy) -> String {
        """
        SELECT DISTINCT unnest(kinds) AS kind, versions FROM worker
        WHERE NOT has_left AND NOT is_draining AND proven_failures < \(policy.blocklistAfter)
            AND NOT EXISTS (\(WorkerRecord.blocks))
            AND last_seen_ms >= (SELECT farm_now()) - \(policy.workerAbsenceMilliseconds)
        """
    }

    /// The condition that some kind of worker lacks the job's versions while a task of that kind is queued, or leased
    /// with every lease expired. Tasks are read only for such a kind, and one is enough: LIMIT tells the planner so,
    /// EXISTS would not. The equal priority makes the first branch a look into the queue's index.
    private static let isAwaited = """
        SELECT FROM unnest(ARRAY['picture', 'sound', 'stitch', 'stills', 'measure']) AS needed (kind) WHERE CASE
            WHEN EXISTS (SELECT FROM able WHERE able.kind = needed.kind AND able.versions = job.versions) THEN false
            ELSE coalesce(
                (
                    SELECT true FROM task WHERE task.kind = needed.kind AND task.priority = job.priority
                        AND task.job = job.id AND task.state = 'queued' AND task.is_open LIMIT 1
                ),
                (
                    SELECT true FROM task WHERE task.job = job.id AND task.state = 'leased' AND task.is_open
                        AND task.kind = needed.kind AND (
                            SELECT count(*) FROM lease WHERE lease.task = task.id
                                AND lease.until_ms > coalesce((SELECT swept_ms FROM farm), 0)
                        ) = 0 LIMIT 1
                ),
                false
            )
        END
        """

    /// Reads a row of the query.
    /// - Throws: ``DatabaseError`` or `DecodingError` for values that an incompatible program wrote.
    static func view(_ row: Row) throws -> JobView {
        var view = try viewOfRecord(row)
        view.trace = try row.optional("traceparent", as: String.self).flatMap { TraceParent(text: $0)?.trace }
        view.outputRemoved = try row.optionalTime("output_removed_ms")?.date
        return view
    }

    private static func viewOfRecord(_ row: Row) throws -> JobView {
        if let tasks = try row.optionalJSON("pruned_tasks", as: TaskCounts.self) {
            return try JobRecord(row).view(tasks: tasks, permille: row.get("pruned_permille"), isPruned: true)
        }
        let tasks = TaskCounts(
            queued: try row.get("queued"),
            leased: try row.get("leased"),
            completed: try row.get("completed"),
            failed: try row.get("failed"),
            cancelled: try row.get("cancelled"),
            taken: try row.get("taken")
        )
        let cost: Int64 = try row.get("cost")
        let done: Int64 = try 1000 * row.get("cost_done") + row.get("live_done")
        let awaited = try row.optional("awaited_versions", as: String.self).map { RenderVersions(text: $0) }
        return try JobRecord(row).view(tasks: tasks, permille: Int(done / max(1, cost)), awaiting: awaited)
    }
}
