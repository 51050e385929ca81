package import Farm
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func tally(of period: FarmPeriod) async throws(FarmStoreError) -> FarmPeriodTally {
        try await transact { connection, now in
            let parameters: [any Parameter] = [
                period.since.milliseconds, period.until.milliseconds, period.owner,
            ]
            let sets = try connection.batch([
                Statement(Self.periodTotals, parameters + [min(period.until, now).milliseconds]),
                Statement(Self.periodWork + Self.byMachine, parameters),
                Statement(Self.periodWork + Self.byJob, parameters + [FarmReport.mostSlow]),
            ])
            var totals = ReportTotals()
            if let row = sets[0].first {
                (totals.completed, totals.failed) = (try row.get("completed"), try row.get("failed"))
                (totals.cancelled, totals.unfinished) = (try row.get("cancelled"), try row.get("unfinished"))
                (totals.late, totals.undelivered) = (try row.get("late"), try row.get("undelivered"))
                (totals.frames, totals.copiedFrames) = (try row.get("frames"), try row.get("copied"))
                totals.bytes = try row.get("bytes")
            }
            let machines = try sets[1].map { row in
                ReportedMachine(
                    name: try row.get("worker_name"),
                    completed: try row.get("completed"),
                    failed: try row.get("failed"),
                    renderedFrames: try row.get("frames"),
                    workMilliseconds: try row.get("milliseconds")
                )
            }
            totals.renderedFrames = machines.map(\.renderedFrames).reduce(0, +)
            totals.workMilliseconds = machines.map(\.workMilliseconds).reduce(0, +)
            let slowest = try sets[2].map { row in
                FarmPeriodTally.JobWork(job: try row.identifier("job"), milliseconds: try row.get("milliseconds"))
            }
            return FarmPeriodTally(totals: totals, machines: machines, slowest: slowest)
        }
    }

    package func jobs(
        of list: FarmPeriodList,
        in period: FarmPeriod,
        limit: Int
    ) async throws(FarmStoreError) -> [JobView] {
        try await transact { [policy] connection, now in
            let ended = "job.finished_ms >= $1 AND job.finished_ms < $2"
            let (last, first) = ("ORDER BY job.finished_ms DESC, job.id DESC", "ORDER BY job.id")
            // What a list does not ask for is named all the same: a parameter without a type is an error.
            let anyTime = "coalesce($1::bigint, $2::bigint) IS NOT NULL"
            let (condition, order) =
                switch list {
                case .completed: ("\(ended) AND job.state = 'completed'", last)
                case .failed: ("\(ended) AND job.state = 'failed'", last)
                case .late:
                    (Self.isLate(passed: "$5"), "ORDER BY coalesce(job.finished_ms, 0) DESC, job.id DESC")
                case .unfinished: ("\(anyTime) AND job.state IN ('queued', 'rendering', 'stitching')", first)
                case .undelivered: ("\(anyTime) AND \(Self.isUndelivered)", first)
                }
            let sql = JobViewQuery.select(
                "(\(condition)) AND ($3::text IS NULL OR job.owner = $3) AND $5::bigint IS NOT NULL \(order) LIMIT $4",
                policy
            )
            let parameters: [any Parameter] = [
                period.since.milliseconds, period.until.milliseconds, period.owner, max(0, limit),
                min(period.until, now).milliseconds,
            ]
            return try connection.query(sql, parameters).map { try JobViewQuery.view($0) }
        }
    }

    private static let isUndelivered =
        "job.target IS NOT NULL AND job.delivered_ms IS NULL AND job.state = 'completed'"

    /// Whether a job missed its deadline (``FarmPeriodList/late``) in the period from `$1` to `$2`.
    /// - Parameter passed: the parameter of the instant before which a deadline has passed.
    private static func isLate(passed: String) -> String {
        """
        CASE job.state
            WHEN 'completed' THEN job.finished_ms >= $1 AND job.finished_ms < $2 AND job.finished_ms > job.deadline_ms
            WHEN 'failed' THEN job.deadline_ms < \(passed) AND greatest(job.finished_ms, job.deadline_ms) >= $1
                AND greatest(job.finished_ms, job.deadline_ms) < $2
            WHEN 'cancelled' THEN false
            ELSE job.deadline_ms < \(passed)
        END
        """
    }

    private static let periodTotals = """
        SELECT count(*) FILTER (WHERE ended AND state = 'completed') AS completed,
            count(*) FILTER (WHERE ended AND state = 'failed') AS failed,
            count(*) FILTER (WHERE ended AND state = 'cancelled') AS cancelled,
            count(*) FILTER (WHERE state IN ('queued', 'rendering', 'stitching')) AS unfinished,
            count(*) FILTER (WHERE \(isLate(passed: "$4"))) AS late,
            count(*) FILTER (WHERE \(isUndelivered)) AS undelivered,
            coalesce(sum(frame_count) FILTER (WHERE ended AND state = 'completed'), 0)::bigint AS frames,
            coalesce(sum((copying->>'copiedCount')::bigint) FILTER (WHERE ended AND state = 'completed'), 0)::bigint AS copied,
            coalesce(sum(byte_count) FILTER (WHERE ended AND state = 'completed'), 0)::bigint AS bytes
        FROM (SELECT *, coalesce(finished_ms >= $1 AND finished_ms < $2, false) AS ended FROM job) AS job
        WHERE $3::text IS NULL OR owner = $3
        """

    /// The attempts that ended in the period.
    private static let periodWork = """
        WITH work AS (
            SELECT attempt.job, attempt.worker_name, attempt.state,
                greatest(0, attempt.ended_ms - attempt.started_ms) AS milliseconds,
                CASE WHEN attempt.state = 'completed' AND task.kind IN ('picture', 'stills')
                    THEN greatest(0, coalesce(task.frame_count, 0) - coalesce(task.copied_count, 0)) ELSE 0 END AS frames
            FROM attempt JOIN task ON task.id = attempt.task
            WHERE attempt.ended_ms >= $1 AND attempt.ended_ms < $2
                AND ($3::text IS NULL OR EXISTS (SELECT FROM job WHERE job.id = attempt.job AND job.owner = $3))
        )
        """

    private static let byMachine = """
        SELECT worker_name, count(*) FILTER (WHERE state = 'completed') AS completed,
            count(*) FILTER (WHERE state = 'failed') AS failed, sum(frames)::bigint AS frames,
            sum(milliseconds)::bigint AS milliseconds
        FROM work GROUP BY worker_name ORDER BY sum(milliseconds) DESC, worker_name COLLATE "C"
        """

    private static let byJob = """
        SELECT job, sum(milliseconds)::bigint AS milliseconds FROM work
        GROUP BY job ORDER BY sum(milliseconds) DESC, job LIMIT $4
        """
}
