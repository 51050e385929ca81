package import Farm
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func renderedSpans(of job: JobID) async throws(FarmStoreError) -> [RenderedSpan] {
        try await transact { connection, now in
            let sets = try connection.batch([
                Statement(Self.done, [job.uuid, RenderedSpan.steps]), Statement(Self.underWay, [job.uuid]),
            ])
            let done = try sets[0].map { row in
                RenderedSpan(
                    started: try row.time("started"),
                    ended: try row.time("ended"),
                    frameThousandths: try row.get("thousandths")
                )
            }
            let live = try sets[1].map { row in
                let started = try row.time("started")
                return RenderedSpan(
                    started: started,
                    ended: max(now, started),
                    frameThousandths: try row.get("thousandths")
                )
            }
            return (done + live).sorted()
        }
    }

    /// Each side of the join is read by an index of its own. A planner that does not know how many tasks this job has
    /// would look each of them up for its attempt, which costs half as much again.
    private static let done = """
        WITH ended AS MATERIALIZED (
            SELECT task, started_ms, ended_ms FROM attempt WHERE job = $1 AND state = 'completed'
        ), shown AS MATERIALIZED (
            SELECT id, frame_count FROM task
            WHERE job = $1 AND kind IN ('picture', 'stills') AND artifact IS NOT NULL AND frame_count IS NOT NULL
        ), span AS MATERIALIZED (
            SELECT started_ms, ended_ms, frame_count FROM ended JOIN shown ON shown.id = ended.task
        ), whole AS (
            SELECT min(started_ms) AS first, greatest(1, max(ended_ms) - min(started_ms)) AS length FROM span
        ), stepped AS (
            SELECT (started_ms - first) * $2::bigint / length AS started, (ended_ms - first) * $2::bigint / length AS ended,
                sum(frame_count * 1000)::bigint AS thousandths
            FROM span, whole GROUP BY 1, 2
        )
        SELECT first + started * length / $2::bigint AS started, first + ended * length / $2::bigint AS ended, thousandths
        FROM stepped, whole
        """

    private static let underWay = """
        SELECT max(attempt.started_ms) AS started,
            (min(task.frame_count) * max(lease.permille))::bigint AS thousandths
        FROM lease JOIN attempt ON attempt.id = lease.attempt JOIN task ON task.id = lease.task
        WHERE lease.job = $1 AND task.kind IN ('picture', 'stills') AND task.state <> 'completed'
            AND task.frame_count IS NOT NULL
        GROUP BY lease.task HAVING max(lease.permille) > 0
        """
}
