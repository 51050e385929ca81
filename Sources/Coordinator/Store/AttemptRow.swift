import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension AttemptRecord {
    /// Selects attempts with their leases; WHERE follows. A lease's numbers stand for the attempt's while it lives.
    static let selection = """
        SELECT attempt.*, coalesce(lease.until_ms, attempt.started_ms) AS until_ms,
            coalesce(lease.permille, attempt.permille) AS live_permille
        FROM attempt LEFT JOIN lease ON lease.attempt = attempt.id
        """

    /// Reads a row of ``selection``.
    /// - Throws: ``DatabaseError`` or `DecodingError` for values that an incompatible program wrote.
    init(_ row: Row) throws {
        self.init(
            id: try row.identifier("id"),
            task: try row.identifier("task"),
            job: try row.identifier("job"),
            worker: try row.identifier("worker"),
            workerName: try row.get("worker_name"),
            machine: try row.optional("machine"),
            poll: try row.identifier("poll"),
            state: try row.word("state"),
            started: try row.time("started_ms"),
            until: try row.time("until_ms"),
            deadline: try row.time("deadline_ms"),
            permille: try row.get("live_permille"),
            ended: try row.optionalTime("ended_ms"),
            failure: try row.optionalJSON("failure")
        )
    }

    /// The statements that insert the attempt and its lease.
    /// - Throws: `EncodingError`, which no failure causes.
    func insertion() throws -> [Statement] {
        [
            Statement(
                """
                INSERT INTO attempt (id, task, job, worker, worker_name, poll, state, started_ms, deadline_ms, machine)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                """,
                [
                    id.uuid, task.uuid, job.uuid, worker.uuid, workerName, poll.uuid, state.rawValue,
                    started.milliseconds, deadline.milliseconds, machine,
                ]
            ),
            Statement(
                """
                INSERT INTO lease (attempt, task, job, worker, until_ms, deadline_ms) VALUES ($1, $2, $3, $4, $5, $6)
                """,
                [id.uuid, task.uuid, job.uuid, worker.uuid, until.milliseconds, deadline.milliseconds]
            ),
        ]
    }

    /// The statements that write the attempt's end and remove its lease.
    /// - Throws: `EncodingError`, which no failure causes.
    func ending() throws -> [Statement] {
        [
            Statement(
                """
                UPDATE attempt SET state = $2, permille = $3, ended_ms = $4, failure = $5
                WHERE id = $1 AND state = 'live'
                """,
                [id.uuid, state.rawValue, permille, ended?.milliseconds, try JSONColumn.text(failure)],
                expecting: 1
            ),
            Statement("DELETE FROM lease WHERE attempt = $1", [id.uuid], expecting: 1),
        ]
    }

    /// The statement that writes that the attempt, whose artifact was accepted or delivered, has failed after all.
    /// - Throws: `EncodingError`, which no failure causes.
    func rejection() throws -> Statement {
        Statement(
            """
            UPDATE attempt SET state = $2, ended_ms = $3, failure = $4
            WHERE id = $1 AND state IN ('completed', 'delivered')
            """,
            [id.uuid, state.rawValue, ended?.milliseconds, try JSONColumn.text(failure)],
            expecting: 1
        )
    }

    /// The statement that writes the lease's new end and the progress.
    func renewal() -> Statement {
        Statement(
            "UPDATE lease SET until_ms = greatest(until_ms, $2), permille = $3 WHERE attempt = $1",
            [id.uuid, until.milliseconds, permille]
        )
    }
}
