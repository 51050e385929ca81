import Farm
import PostgreSQL

/// The query for tasks that wait though there is a part for them.
enum OfferQuery {
    /// The number of waiting tasks of one owner whose parts are looked for one by one. An owner with more has others
    /// found from the parts, once those run out.
    static let waitingLimit = 2000

    /// The most offers that are found from the parts at a time.
    private static let foundLimit = 20_000

    /// The statement; its only parameter is the most rows. A row is a task and the columns of its part. The cost does
    /// not depend on the number of parts, unless an owner has more than ``waitingLimit`` tasks waiting and none of
    /// those that are looked at has a part. `LIMIT 1` keeps the database from joining all parts.
    static let sql = """
        WITH waiting AS MATERIALIZED (
            SELECT head.* FROM owner CROSS JOIN LATERAL (
                SELECT task.id, task.owner, task.key, (
                    SELECT job.versions FROM job WHERE job.id = task.job AND \(isUnfinished)
                ) AS versions
                FROM task WHERE task.owner = owner.name AND state = 'queued' AND key IS NOT NULL
                ORDER BY task.key LIMIT \(waitingLimit)
            ) AS head
        ), known AS MATERIALIZED (
            SELECT waiting.id AS task, waiting.owner, found.key, found.versions FROM waiting CROSS JOIN LATERAL (
                SELECT key, versions FROM part WHERE part.key = waiting.key AND part.versions = waiting.versions LIMIT 1
            ) AS found
        ), others AS MATERIALIZED (
            SELECT found.task, found.owner, part.key, part.versions FROM part CROSS JOIN LATERAL (
                SELECT task.id AS task, task.owner FROM task JOIN job ON job.id = task.job
                WHERE task.key = part.key AND task.state = 'queued' AND job.versions = part.versions AND \(isUnfinished)
                ORDER BY task.id LIMIT $1
            ) AS found
            WHERE (SELECT count(*) FROM known) < $1
                AND EXISTS (SELECT FROM waiting GROUP BY owner HAVING count(*) >= \(waitingLimit))
            LIMIT \(foundLimit)
        ), turns AS (
            SELECT *, row_number() OVER (PARTITION BY owner ORDER BY task) AS turn
            FROM (TABLE known UNION TABLE others) AS found
        )
        SELECT turns.task, found.* FROM (SELECT * FROM turns ORDER BY turn, task LIMIT $1) AS turns
        CROSS JOIN LATERAL (
            SELECT * FROM part WHERE part.key = turns.key AND part.versions = turns.versions LIMIT 1
        ) AS found
        ORDER BY turns.turn, turns.task
        """

    private static let isUnfinished = "job.state IN ('queued', 'rendering', 'stitching')"
}
