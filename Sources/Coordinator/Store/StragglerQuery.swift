import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// Finds tasks that may be hedged, because one worker alone has leased them for long.
enum StragglerQuery {
    /// Asks the database.
    /// - Returns: the stragglers in the order of the queue, with the durations of their siblings.
    /// - Throws: ``DatabaseError``.
    static func run(
        _ connection: isolated Connection,
        policy: HedgePolicy,
        expiry: FarmTime,
        now: FarmTime
    ) throws -> [HedgeCandidate] {
        let latest = now.adding(milliseconds: -policy.minimumAgeMilliseconds)
        let rows = try connection.query(candidates, [expiry.milliseconds, latest.milliseconds])
        var siblings: [Siblings: [Int64]] = [:]
        let stragglers = try rows.map { row in
            let candidate = try GrantCandidate(row)
            let group = Siblings(job: candidate.job, kind: candidate.kind)
            let known = try siblings[group] ?? durations(group, connection)
            siblings[group] = known
            return HedgeCandidate(
                candidate: candidate,
                started: try row.time("started_ms"),
                worker: try row.identifier("worker"),
                siblingMilliseconds: known
            )
        }
        return stragglers.sorted { GrantCandidate.precedes($0.candidate, $1.candidate) }
    }

    /// The tasks of the same job and kind.
    private struct Siblings: Hashable {
        let job: JobID
        let kind: TaskKind
    }

    /// The times from grant to acceptance of completed siblings, ascending, in milliseconds.
    private static func durations(_ group: Siblings, _ connection: isolated Connection) throws -> [Int64] {
        let sql = """
            SELECT attempt.ended_ms - attempt.started_ms AS lasted FROM attempt JOIN task ON task.id = attempt.task
            WHERE attempt.job = $1 AND attempt.state = 'completed' AND task.kind = $2 ORDER BY lasted
            """
        return try connection.query(sql, [group.job.uuid, group.kind.rawValue]).map { try $0.get("lasted") }
    }

    private static let candidates = """
        SELECT task.id, task.job, task.owner, task.kind, task.position, task.priority, task.stage, task.cost_ms, task.key,
            task.witnesses, (SELECT job.requirements FROM job WHERE job.id = task.job) AS requirements, (SELECT job.versions FROM job WHERE job.id = task.job) AS versions, alone.worker,
            attempt.started_ms, ARRAY(
                SELECT DISTINCT other.worker FROM attempt AS other
                WHERE other.task = task.id AND other.state IN ('failed', 'superseded') AND other.failure IS NOT NULL
                    AND other.started_ms >= coalesce(task.counted_from_ms, 0)
            ) AS failed
        FROM (
            SELECT task, min(attempt::text)::uuid AS attempt, min(worker::text)::uuid AS worker
            FROM lease GROUP BY task HAVING count(*) = 1 AND max(until_ms) > $1
        ) AS alone
        JOIN attempt ON attempt.id = alone.attempt AND attempt.started_ms < $2
        JOIN task ON task.id = alone.task AND task.state = 'leased' AND task.is_open
            AND (task.kind = 'stitch' OR task.job NOT IN (\(GrantQueue.jobsOfDueWindows)))
        """
}
