import Farm
import PostgreSQL
import Shared

/// Jobs with what is summed up from their tasks: from an index, without reading task rows.
enum JobViewQuery {
    /// - Parameter condition: on `job`, with what follows WHERE.
    static func select(_ condition: String) -> String {
        """
        SELECT job.*, sums.*, coalesce(live.done, 0)::bigint AS live_done
        FROM job
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE task.state = 'queued') AS queued,
                count(*) FILTER (WHERE task.state = 'leased') AS leased,
                count(*) FILTER (WHERE task.state = 'completed') AS completed,
                count(*) FILTER (WHERE task.state = 'failed') AS failed,
                count(*) FILTER (WHERE task.state = 'cancelled') AS cancelled,
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

    static func view(_ row: Row) throws -> JobView {
        let tasks = TaskCounts(
            queued: try row.get("queued"),
            leased: try row.get("leased"),
            completed: try row.get("completed"),
            failed: try row.get("failed"),
            cancelled: try row.get("cancelled")
        )
        let cost: Int64 = try row.get("cost")
        let done: Int64 = try 1000 * row.get("cost_done") + row.get("live_done")
        return try JobRecord(row).view(tasks: tasks, permille: Int(done / max(1, cost)))
    }
}
