import Farm
import Foundation
import PostgreSQL
import WireProtocol

@testable import Coordinator

/// What holds of the store's tables after any operations, asked in SQL that shares nothing with the store's own, and
/// of what its clients were told.
struct StoreInvariants: Sendable {
    let store: PostgresFarmStore
    let clients: RandomClients

    /// - Returns: a sentence for each row that breaks a rule.
    func violations() async throws -> [String] {
        var found: [String] = []
        for (rule, sql) in Self.rules + (clients.isHedging ? [] : Self.rulesWithoutHedges)
            + (clients.isForgetting ? [] : Self.rulesWithoutForgetting)
        {
            found += try await store.pool.run { connection in
                try connection.query(sql).map { "\(rule): \(try $0.get("broken", as: String.self))" }
            }
        }
        return try await found + checkAccepted() + checkNumbers() + checkViews()
    }

    /// Of each rule, the rows that break it.
    private static let rules: [(String, String)] = [
        (
            "more than two live attempts",
            "SELECT task::text AS broken FROM attempt WHERE state = 'live' GROUP BY task HAVING count(*) > 2"
        ),
        (
            "a task's state is not that of its attempts",
            """
            SELECT task::text AS broken FROM task WHERE (state = 'leased')
                <> EXISTS (SELECT FROM attempt WHERE attempt.task = task.id AND attempt.state = 'live')
            """
        ),
        (
            "an attempt that is over has a lease, or a live one has none",
            """
            SELECT attempt.id::text AS broken FROM attempt LEFT JOIN lease ON lease.attempt = attempt.id
            WHERE (attempt.state = 'live') <> (lease.attempt IS NOT NULL)
            """
        ),
        (
            "a lease is another's than its attempt's",
            """
            SELECT lease::text AS broken FROM lease JOIN attempt ON attempt.id = lease.attempt
            WHERE (lease.task, lease.job, lease.worker, lease.deadline_ms)
                <> (attempt.task, attempt.job, attempt.worker, attempt.deadline_ms)
            """
        ),
        (
            "a job does not count its tasks",
            """
            SELECT job::text || ' stage ' || place AS broken FROM job, generate_subscripts(remaining, 1) AS place
            WHERE remaining[place] <> (
                SELECT count(*) FROM task WHERE task.job = job.id AND task.stage = place - 1 AND task.state <> 'completed'
            )
            """
        ),
        (
            "the open stage is not the first unfinished one",
            """
            SELECT job::text AS broken FROM job WHERE open_stage IS DISTINCT FROM (
                SELECT min(stage) FROM task WHERE task.job = job.id AND task.state <> 'completed'
                    AND job.state IN ('queued', 'rendering', 'stitching')
            )
            """
        ),
        (
            "a task waits for a stage that is done, or not for one that is not",
            """
            SELECT task::text AS broken FROM task JOIN job ON job.id = task.job
            WHERE job.state IN ('queued', 'rendering', 'stitching')
                AND is_open <> (is_independent OR task.stage <= job.open_stage)
            """
        ),
        (
            "a job that is over has open tasks",
            """
            SELECT task::text AS broken FROM task JOIN job ON job.id = task.job
            WHERE finished_ms IS NOT NULL AND task.state IN ('queued', 'leased')
            """
        ),
        (
            "a job is completed without its last task",
            """
            SELECT job::text AS broken FROM job JOIN task ON task.job = job.id AND stage = cardinality(remaining) - 1
            WHERE (job.state = 'completed') <> (task.state = 'completed')
                OR job.artifact IS DISTINCT FROM task.artifact
            """
        ),
    ]

    private static let rulesWithoutHedges: [(String, String)] = [
        (
            "a live attempt is not its task's last",
            """
            SELECT old::text AS broken FROM attempt AS old JOIN attempt AS new ON new.task = old.task
            WHERE old.state = 'live' AND new.number > old.number
            """
        )
    ]

    private static let rulesWithoutForgetting: [(String, String)] = [
        (
            "a task is not completed by one attempt",
            """
            SELECT task::text AS broken FROM task WHERE (state = 'completed')::integer
                <> (SELECT count(*) FROM attempt WHERE attempt.task = task.id AND attempt.state = 'completed')
            """
        ),
        (
            "a worker's failures are miscounted",
            """
            SELECT worker::text AS broken FROM worker WHERE proven_failures <> (
                SELECT count(DISTINCT lost.task) FROM attempt AS lost JOIN attempt AS won ON won.task = lost.task
                WHERE lost.worker = worker.id AND lost.state = 'failed'
                    AND won.state = 'completed' AND won.worker <> worker.id
            )
            """
        ),
        (
            "events are not numbered without gaps",
            """
            SELECT last::text AS broken FROM event_sequence
            WHERE last <> (SELECT count(*) FROM event) OR last <> (SELECT max(sequence) FROM event)
            """
        ),
        (
            "the last event of a task is not its state",
            """
            SELECT task::text AS broken FROM task WHERE state <> coalesce(
                (SELECT state FROM event WHERE event.task = task.id ORDER BY sequence DESC LIMIT 1), 'queued')
            """
        ),
        (
            "the last event of a job is not its state",
            """
            SELECT job::text AS broken FROM job WHERE state IS DISTINCT FROM (
                SELECT state FROM event WHERE event.job = job.id AND event.task IS NULL ORDER BY sequence DESC LIMIT 1)
            """
        ),
    ]

    /// What a client was told is accepted is there.
    private func checkAccepted() async throws -> [String] {
        let rows = try await store.pool.run { connection in
            try connection.query(
                """
                SELECT task.id, task.artifact, is_forgotten, (
                    SELECT attempt.id FROM attempt WHERE attempt.task = task.id AND attempt.state = 'completed'
                ) AS winner FROM task JOIN job ON job.id = task.job WHERE task.artifact IS NOT NULL
                """
            ).map { row in
                (
                    task: TaskID(uuid: try row.get("id")), artifact: try row.digest("artifact"),
                    winner: try row.optional("winner", as: UUID.self).map { AttemptID(uuid: $0) },
                    isForgotten: try row.get("is_forgotten", as: Bool.self)
                )
            }
        }
        let done = Dictionary(uniqueKeysWithValues: rows.map { ($0.task, $0) })
        return clients.known.accepted.compactMap { task, attempt in
            guard let row = done[task] else { return "\(task) was done by \(attempt) and is not any more" }
            let isWhole = row.winner == attempt || row.isForgotten
            return isWhole && row.artifact == RandomClients.artifact(of: attempt)
                ? nil : "\(task) was done by \(attempt) and is said to be done otherwise"
        }
    }

    /// The later of two grants of a task has the higher number.
    private func checkNumbers() async throws -> [String] {
        let numbers = try await store.pool.run { connection in
            Dictionary(
                uniqueKeysWithValues: try connection.query("SELECT id, number FROM attempt").map {
                    (AttemptID(uuid: try $0.get("id")), try $0.get("number", as: Int.self))
                }
            )
        }
        return Dictionary(grouping: clients.known.held, by: \.task).flatMap { task, held in
            held.flatMap { first in
                held.filter { first.ended < $0.began }.compactMap { second in
                    guard let low = numbers[first.attempt], let high = numbers[second.attempt] else { return nil }
                    return low < high ? nil : "\(task): \(second.attempt) came after \(first.attempt)"
                }
            }
        }
    }

    /// What clients see of a job counts the tasks that they see.
    private func checkViews() async throws -> [String] {
        var found: [String] = []
        for job in try await store.jobs(JobFilter(limit: 1000)) {
            let states = try await store.tasks(of: job.id).map(\.state)
            let counts = TaskCounts(
                queued: states.count { $0 == .queued },
                leased: states.count { $0 == .leased },
                completed: states.count { $0 == .completed },
                failed: states.count { $0 == .failed },
                cancelled: states.count { $0 == .cancelled }
            )
            if counts != job.tasks { found.append("\(job.id) says \(job.tasks) and has \(counts)") }
        }
        let jobs = try await store.jobs(JobFilter(limit: 1000)).map(\.id)
        found += clients.known.jobs.values.filter { !jobs.contains($0) }.map { "\($0) is gone" }
        return found
    }
}
