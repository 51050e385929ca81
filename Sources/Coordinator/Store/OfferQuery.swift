import Farm
import PostgreSQL

/// The query for tasks that wait though there is a part for them.
enum OfferQuery {
    /// The number of waiting tasks of one owner that are looked at on each side of the key where a look begins.
    static let waitingLimit = 2000

    /// The statement; its parameters are the most rows, and the key where the look begins. A row is a task and the columns
    /// of its part. An owner's waiting tasks are in the order of their keys, and those around the key are looked at: all,
    /// unless more than ``waitingLimit`` wait on a side of it. Looks that begin at random keys find each of them in time,
    /// and none costs more with the number of parts or of tasks. `LIMIT 1` keeps the database from joining all parts.
    static let sql = """
        WITH waiting AS MATERIALIZED (
            SELECT head.* FROM owner CROSS JOIN LATERAL (
                (\(waiting) AND task.key >= $2 ORDER BY task.key LIMIT \(waitingLimit))
                UNION ALL
                (\(waiting) AND task.key < $2 ORDER BY task.key DESC LIMIT \(waitingLimit))
            ) AS head
        ), known AS MATERIALIZED (
            SELECT waiting.id AS task, waiting.owner, found.key, found.versions FROM waiting CROSS JOIN LATERAL (
                SELECT key, versions FROM part WHERE part.key = waiting.key AND part.versions = waiting.versions LIMIT 1
            ) AS found
        ), turns AS (
            SELECT *, row_number() OVER (PARTITION BY owner ORDER BY task) AS turn FROM known
        )
        SELECT turns.task, found.* FROM (SELECT * FROM turns ORDER BY turn, task LIMIT $1) AS turns
        CROSS JOIN LATERAL (
            SELECT * FROM part WHERE part.key = turns.key AND part.versions = turns.versions LIMIT 1
        ) AS found
        ORDER BY turns.turn, turns.task
        """

    /// Selects the waiting tasks of an owner, with the versions of their jobs.
    private static let waiting = """
        SELECT task.id, task.owner, task.key, (
            SELECT job.versions FROM job
            WHERE job.id = task.job AND job.state IN ('queued', 'rendering', 'stitching')
        ) AS versions
        FROM task WHERE task.owner = owner.name AND state = 'queued' AND key IS NOT NULL AND witnesses IS NULL
        """
}
