import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// Finds tasks that may be hedged, because one worker alone has leased them for long.
enum StragglerQuery {
    /// Asks the database for those of `kinds`.
    /// - Returns: the stragglers in the order of the queue, with what their siblings took.
    /// - Throws: ``DatabaseError``.
    static func run(
        _ kinds: [TaskKind],
        _ connection: isolated Connection,
        policy: HedgePolicy,
        expiry: FarmTime,
        now: FarmTime
    ) throws -> [HedgeCandidate] {
        let latest = now.adding(milliseconds: -policy.minimumAgeMilliseconds)
        let rows = try connection.query(
            candidates,
            [expiry.milliseconds, latest.milliseconds, kinds.map(\.rawValue)]
        )
        var siblings: [Siblings: SiblingTimes] = [:]
        let stragglers = try rows.map { row in
            let candidate = try GrantCandidate(row)
            let group = Siblings(job: candidate.job, kind: candidate.kind)
            let known = try siblings[group] ?? times(group, connection)
            siblings[group] = known
            return HedgeCandidate(
                candidate: candidate,
                started: try row.time("started_ms"),
                worker: try row.identifier("worker"),
                permille: try row.get("live_permille"),
                siblings: known
            )
        }
        return stragglers.sorted { GrantCandidate.precedes($0.candidate, $1.candidate) }
    }

    /// The tasks of the same job and kind.
    private struct Siblings: Hashable {
        let job: JobID
        let kind: TaskKind
    }

    /// What the completed siblings took. The database sums up: of a long job there are a hundred thousand.
    private static func times(_ group: Siblings, _ connection: isolated Connection) throws -> SiblingTimes {
        let sql = """
            SELECT attempt.worker, count(*) AS attempts, sum(lasted)::bigint AS lasted, sum(task.cost_ms)::bigint AS cost,
                percentile_disc(0.95) WITHIN GROUP (ORDER BY lasted) AS p95
            FROM attempt JOIN task ON task.id = attempt.task,
                LATERAL (SELECT attempt.ended_ms - attempt.started_ms AS lasted) AS length
            WHERE attempt.job = $1 AND attempt.state = 'completed' AND task.kind = $2
            GROUP BY GROUPING SETS ((), (attempt.worker)) ORDER BY grouping(attempt.worker) DESC
            """
        let rows = Array(try connection.query(sql, [group.job.uuid, group.kind.rawValue]))
        guard let all = rows.first, try all.get("attempts", as: Int.self) > 0 else { return SiblingTimes([]) }
        let paces = try rows.dropFirst().map { (try $0.identifier("worker") as WorkerID, try pace($0)) }
        return SiblingTimes(
            count: try all.get("attempts"),
            p95Milliseconds: try all.get("p95"),
            pace: try pace(all),
            paces: Dictionary(uniqueKeysWithValues: paces)
        )
    }

    private static func pace(_ row: Row) throws -> SiblingTimes.Pace {
        SiblingTimes.Pace(milliseconds: try row.get("lasted"), costMilliseconds: try row.get("cost"))
    }

    private static let candidates = """
        SELECT task.id, task.job, task.owner, task.kind, task.position, task.priority, task.stage, task.cost_ms, task.key,
            task.witnesses, (SELECT job.requirements FROM job WHERE job.id = task.job) AS requirements, (SELECT job.versions FROM job WHERE job.id = task.job) AS versions, alone.worker,
            alone.permille AS live_permille, attempt.started_ms, ARRAY(
                SELECT DISTINCT other.worker FROM attempt AS other
                WHERE other.task = task.id AND other.state IN ('failed', 'superseded') AND other.failure IS NOT NULL
                    AND other.started_ms >= coalesce(task.counted_from_ms, 0)
            ) AS failed
        FROM (
            SELECT task, min(attempt::text)::uuid AS attempt, min(worker::text)::uuid AS worker,
                max(permille) AS permille
            FROM lease GROUP BY task HAVING count(*) = 1 AND max(until_ms) > $1
        ) AS alone
        JOIN attempt ON attempt.id = alone.attempt AND attempt.started_ms < $2
        JOIN task ON task.id = alone.task AND task.state = 'leased' AND task.is_open
            AND task.kind = ANY($3::text[])
            AND (task.kind = 'stitch' OR task.job NOT IN (\(GrantQueue.jobsOfDueWindows)))
        """
}
