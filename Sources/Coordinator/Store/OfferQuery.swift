import Farm
import PostgreSQL

/// The query for tasks that wait though there is a part for them.
enum OfferQuery {
    /// The number of waiting tasks of one owner that are looked at on each side of the key where a look begins.
    static let waitingLimit = 2000

    /// The statement; its parameters are the most rows, and the key where the look begins. A row is a task and the columns
    /// of its part. An owner's waiting tasks are in the order of their keys, and those around the key are looked at: all,
    /// unless more than ``waitingLimit`` wait on a side of it. Looks that begin at random keys find each of them in time,
    /// and none costs more with the number of parts or of tasks. `LIMIT 1` keeps the database from joining all parts. Jobs
    /// are read only of tasks whose key has a part, whatever its versions: mostly there are few.
    static let sql = """
        WITH waiting AS MATERIALIZED (
            SELECT head.* FROM owner CROSS JOIN LATERAL (
                (\(waiting) AND task.key >= $2 ORDER BY task.key LIMIT \(waitingLimit))
                UNION ALL
                (\(waiting) AND task.key < $2 ORDER BY task.key DESC LIMIT \(waitingLimit))
            ) AS head
        ), made AS MATERIALIZED (
            SELECT waiting.*, (\(versions)) AS versions FROM waiting CROSS JOIN LATERAL (
                SELECT FROM part WHERE part.key = waiting.key LIMIT 1
            ) AS one
        ), known AS MATERIALIZED (
            SELECT made.id AS task, made.owner, found.key, found.versions FROM made CROSS JOIN LATERAL (
                SELECT key, versions FROM part WHERE part.key = made.key AND part.versions = made.versions LIMIT 1
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

    /// Selects the versions of a waiting task's job; NULL for a job that is over. The state is no condition: while the database
    /// has no statistics of a new table, that makes it read the whole index `job_by_versions` for each task.
    private static let versions = """
        SELECT CASE WHEN job.state IN ('queued', 'rendering', 'stitching') THEN job.versions END
        FROM job WHERE job.id = waiting.job
        """

    /// Selects the waiting tasks of an owner.
    private static let waiting = """
        SELECT task.id, task.job, task.owner, task.key
        FROM task WHERE task.owner = owner.name AND state = 'queued' AND key IS NOT NULL AND witnesses IS NULL
        """
}
