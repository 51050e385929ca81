/// Finds the sessions whose COPY receives nothing, and ends them.
///
/// While the server waits for rows of a COPY, neither `statement_timeout` nor `idle_in_transaction_session_timeout`
/// counts, and a query is not cancelled; only `pg_terminate_backend` ends the session. A program that is stopped
/// (SIGSTOP) at that moment would keep its locks for as long as it is stopped, because its kernel still answers for it.
package struct StalledCopies: Sendable {
    /// How far a COPY had come.
    private struct Progress: Hashable {
        let backend: Int
        let started: String
        let byteCount: Int64
    }

    /// The copies that waited for their clients at the last look.
    private var waiting: Set<Progress> = []

    /// Begins without having looked.
    package init() {}

    /// Ends the sessions whose COPY waits for its client and has received nothing since the look before. Those are COPY
    /// FROM STDIN into tables of the connection's schema, by its own database user; a COPY of anybody else is left
    /// alone.
    /// - Returns: the number of the sessions that were ended. Their transactions are undone.
    /// - Throws: ``DatabaseError``.
    package mutating func endStalled(_ connection: isolated Connection) throws(DatabaseError) -> Int {
        let seen = try Self.waiting(connection)
        let stalled = seen.intersection(waiting)
        waiting = seen.subtracting(stalled)
        for copy in stalled { try connection.query("SELECT pg_terminate_backend($1)", [copy.backend]) }
        return stalled.count
    }

    private static func waiting(_ connection: isolated Connection) throws(DatabaseError) -> Set<Progress> {
        let sql = """
            SELECT activity.pid, activity.query_start::text AS started, progress.bytes_processed AS bytes
            FROM pg_stat_progress_copy AS progress JOIN pg_stat_activity AS activity USING (pid)
            WHERE progress.datname = current_database() AND activity.usename = session_user
                AND progress.command = 'COPY FROM' AND progress.type = 'PIPE' AND activity.wait_event = 'ClientRead'
                AND progress.relid IN (SELECT oid FROM pg_class WHERE relnamespace = (
                    SELECT oid FROM pg_namespace WHERE nspname = current_schema()))
            """
        var seen: Set<Progress> = []
        for row in try connection.query(sql) {
            seen.insert(
                Progress(backend: try row.get("pid"), started: try row.get("started"), byteCount: try row.get("bytes"))
            )
        }
        return seen
    }
}
