package import Farm
import Foundation
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func summary(owner: String?, search: String?) async throws(FarmStoreError) -> JobSummary {
        try await transact { connection, _ in
            let sql = """
                SELECT state, is_paused, count(*) AS jobs FROM job
                WHERE ($1::text IS NULL OR owner = $1) AND ($2::text IS NULL OR strpos(lower(title), lower($2)) > 0)
                GROUP BY state, is_paused
                """
            var summary = JobSummary()
            for row in try connection.query(sql, [owner, search]) {
                let (state, isPaused): (JobState, Bool) = (try row.word("state"), try row.get("is_paused"))
                summary.add(state, isPaused: isPaused, count: try row.get("jobs"))
            }
            return summary
        }
    }

    package func tasks(of job: JobID, at positions: [Int]) async throws(FarmStoreError) -> [TaskView] {
        try await transact { connection, _ in
            let own = "FROM task WHERE job = $1 AND position = ANY($2::int[])"
            let parameters: [any Parameter] = [job.uuid, positions]
            let sets = try connection.batch([
                Statement("SELECT * \(own) ORDER BY position", parameters),
                Statement(
                    AttemptRecord.selection + " WHERE attempt.task IN (SELECT id \(own)) ORDER BY attempt.number",
                    parameters
                ),
            ])
            let attempts = Dictionary(grouping: try sets[1].map { try AttemptRecord($0) }, by: \.task)
            return try sets[0].map { row in
                let task = try TaskRecord(row)
                return task.view(attempts: attempts[task.id] ?? [])
            }
        }
    }

    package func standings(of jobs: [JobID]) async throws(FarmStoreError) -> [JobID: JobStanding] {
        guard !jobs.isEmpty else { return [:] }
        return try await transact { connection, now in
            let wanted = jobs.map(\.uuid)
            let oldest = now.adding(milliseconds: -JobPace.windowMilliseconds).milliseconds
            let sets = try connection.batch([
                Statement(Self.places, [wanted]),
                Statement(Self.efforts, [wanted, JobStanding.mostEvents, oldest]),
                Statement(Self.held, [wanted]),
                Statement(Self.auditing, [wanted, JobStanding.mostAudits]),
            ])
            var standings: [JobID: JobStanding] = [:]
            for row in sets[0] {
                standings[try row.identifier("id")] = JobStanding(
                    higher: try row.get("higher"),
                    earlier: try row.get("earlier")
                )
            }
            for row in sets[1] { standings[try row.identifier("job")]?.efforts.append(try TaskEffort(row)) }
            for row in sets[2] { standings[try row.identifier("job")]?.held = try row.get("held") }
            for row in sets[3] {
                let wait = try AuditWait(position: row.get("position"), claims: row.json("claims"))
                standings[try row.identifier("job")]?.auditing.append(wait)
            }
            let busy = standings.filter { !$0.value.efforts.isEmpty }.keys.map(\.uuid)
            let costs = "SELECT job, sum(cost_ms)::bigint AS cost FROM task WHERE job = ANY($1::uuid[]) GROUP BY job"
            for row in busy.isEmpty ? [] : Array(try connection.query(costs, [busy])) {
                standings[try row.identifier("job")]?.costMilliseconds = try row.get("cost")
            }
            for job in standings.keys { standings[job]?.efforts.sort() }
            return standings
        }
    }

    /// The places of unfinished jobs in the queues of their owners. A job that is held back has none. The queues are sorted once:
    /// joined as a subquery they would be sorted again for each job that is asked for, by a planner that expects few.
    private static let places = """
        WITH waiting AS MATERIALIZED (
            SELECT id, rank() OVER (PARTITION BY owner ORDER BY priority DESC) - 1 AS higher,
                row_number() OVER (PARTITION BY owner ORDER BY priority DESC, id) - 1 AS ahead
            FROM job WHERE state IN ('queued', 'rendering', 'stitching') AND NOT is_paused AND NOT is_outside_window
                AND awaited_jobs = '{}'
        ), wanted AS MATERIALIZED (
            SELECT id FROM job WHERE id = ANY($1::uuid[]) AND state IN ('queued', 'rendering', 'stitching')
        )
        SELECT wanted.id, coalesce(waiting.higher, 0) AS higher, coalesce(waiting.ahead - waiting.higher, 0) AS earlier
        FROM wanted LEFT JOIN waiting ON waiting.id = wanted.id
        """

    /// The numbers of leases that have not run out.
    private static let held = """
        SELECT job, count(*) AS held FROM lease
        WHERE job = ANY($1::uuid[]) AND until_ms > coalesce((SELECT swept_ms FROM farm), 0) GROUP BY job
        """

    /// The audited tasks that wait for another machine: few, from an index of their own.
    private static let auditing = """
        SELECT job, position, claims FROM (
            SELECT job, position, claims, row_number() OVER (PARTITION BY job ORDER BY position) AS number FROM task
            WHERE witnesses IS NOT NULL AND state = 'queued' AND job = ANY($1::uuid[])
        ) AS waiting WHERE number <= $2 ORDER BY job, position
        """

    /// The live attempts, and those that completed a task of which one of the job's last events tells. Each job's events
    /// are read from the end of an index; jobs that have ended have no efforts.
    private static let efforts = """
        SELECT lease.job, attempt.started_ms, attempt.ended_ms, lease.permille, task.kind, task.frame_count,
            task.cost_ms, task.position
        FROM lease JOIN attempt ON attempt.id = lease.attempt JOIN task ON task.id = lease.task
        WHERE lease.job = ANY($1::uuid[])
        UNION ALL
        SELECT task.job, attempt.started_ms, attempt.ended_ms, 1000, task.kind, task.frame_count, task.cost_ms,
            task.position
        FROM (
            SELECT DISTINCT last.task FROM job CROSS JOIN LATERAL (
                SELECT event.task, event.state, event.at_ms FROM event WHERE event.job = job.id
                ORDER BY event.sequence DESC LIMIT $2
            ) AS last
            WHERE job.id = ANY($1::uuid[]) AND job.state IN ('queued', 'rendering', 'stitching')
                AND last.state = 'completed' AND last.task IS NOT NULL AND last.at_ms >= $3
        ) AS recent
        JOIN attempt ON attempt.task = recent.task AND attempt.state = 'completed' JOIN task ON task.id = recent.task
        """
}

extension TaskEffort {
    fileprivate init(_ row: Row) throws(DatabaseError) {
        let kind: String = try row.get("kind")
        self.init(
            position: try row.get("position"),
            frames: kind == "picture" || kind == "stills" ? try row.optional("frame_count") ?? 0 : 0,
            costMilliseconds: try row.get("cost_ms"),
            started: try row.time("started_ms"),
            ended: try row.optionalTime("ended_ms"),
            permille: try row.get("permille")
        )
    }
}
