import PostgreSQL

extension Connection {
    /// The process of the server that serves this connection.
    func backendProcess() throws(DatabaseError) -> Int {
        try query("SELECT pg_backend_pid() AS process")[0].get("process")
    }
}
