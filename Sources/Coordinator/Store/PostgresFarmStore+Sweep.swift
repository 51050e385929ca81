import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// What a sweep does beside letting leases expire: it follows windows that have changed and awaited jobs that have ended.
/// Whoever sweeps holds the farm's row, so that of two coordinators the second finds nothing to follow any more.
extension PostgresFarmStore {
    /// The jobs to follow, locked in the order of identifiers. Those that await others are found by the others' states,
    /// whoever wrote them: also a coordinator of the version before ends jobs.
    static let dueJobs = Statement(
        """
        WITH waiting AS MATERIALIZED (
            SELECT id, state, unnest(awaited_jobs) AS earlier FROM job
            WHERE awaited_jobs <> '{}' AND pruned_tasks IS NULL AND state NOT IN ('completed', 'cancelled')
        ), settled AS (
            SELECT waiting.id FROM waiting JOIN job AS earlier ON earlier.id = waiting.earlier
            GROUP BY waiting.id, waiting.state
            HAVING CASE WHEN waiting.state = 'failed'
                THEN NOT bool_or(earlier.state IN ('failed', 'cancelled'))
                ELSE bool_or(earlier.finished_ms IS NOT NULL)
            END
            ORDER BY waiting.id LIMIT \(FarmPolicy.jobsPerSweep)
        ), changed AS (
            SELECT id FROM job WHERE window_change_ms <= (SELECT farm_now())
                AND state IN ('queued', 'rendering', 'stitching')
            ORDER BY id LIMIT \(FarmPolicy.jobsPerSweep)
        )
        SELECT * FROM job WHERE id = ANY(ARRAY(TABLE settled UNION TABLE changed)) ORDER BY id FOR NO KEY UPDATE
        """
    )

    /// Decides about the jobs of ``dueJobs`` and writes it.
    static func followJobs(_ due: ResultSet, _ connection: isolated Connection, at now: FarmTime) throws {
        guard !due.isEmpty else { return }
        var rows = LockedRows()
        try rows.read(jobs: due)
        let jobs = rows.jobs.values.sorted { $0.id < $1.id }
        let earlier = try earlierJobs(of: jobs, connection)
        let unfinished = try unfinishedTasks(of: jobs.filter(\.failedForEarlier), connection)
        var writer = ChangeWriter(at: now)
        writer.add([ChangeWriter.durable])
        for job in jobs {
            var counts = job.remaining.map { _ in 0 }
            for (stage, count) in unfinished[job.id] ?? [:] { counts[stage] = count }
            var decision = JobDecision(job: job)
            decision.follow(job.awaitedJobs.compactMap { earlier[$0] }, unfinished: counts, at: now)
            try writer.write(decision.changes, to: &rows, connection)
        }
        try writer.finish(connection)
    }

    /// The jobs that `jobs` await, as they are committed now.
    private static func earlierJobs(
        of jobs: [JobRecord],
        _ connection: isolated Connection
    ) throws -> [JobID: EarlierJob] {
        let wanted = Set(jobs.flatMap(\.awaitedJobs)).map(\.uuid)
        guard !wanted.isEmpty else { return [:] }
        var earlier: [JobID: EarlierJob] = [:]
        for row in try connection.query("SELECT id, title, state FROM job WHERE id = ANY($1::uuid[])", [wanted]) {
            let id: JobID = try row.identifier("id")
            earlier[id] = EarlierJob(id: id, title: try row.get("title"), state: try row.word("state"))
        }
        return earlier
    }

    /// The numbers of tasks that are not completed, by job and stage.
    private static func unfinishedTasks(
        of jobs: [JobRecord],
        _ connection: isolated Connection
    ) throws -> [JobID: [Int: Int]] {
        guard !jobs.isEmpty else { return [:] }
        let sql = """
            SELECT job, stage, count(*) AS tasks FROM task WHERE job = ANY($1::uuid[]) AND state <> 'completed'
            GROUP BY job, stage
            """
        var counts: [JobID: [Int: Int]] = [:]
        for row in try connection.query(sql, [jobs.map(\.id.uuid)]) {
            counts[try row.identifier("job"), default: [:]][try row.get("stage")] = try row.get("tasks")
        }
        return counts
    }
}
