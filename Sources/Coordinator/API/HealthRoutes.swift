import Farm
import Hummingbird
import Logging
import Storage

extension CoordinatorParts {
    /// `/healthz`: the process answers. `/readyz`: so do the database, with its tables there, and the artifact store.
    func addHealth(to table: RouteTable) {
        table.on(.get, "/healthz") { _, _ in try .json(["status": "ok"]) }
        table.on(.get, "/readyz") { _, _ in
            // Of a table, not of the server's clock: a database without its schema is not ready.
            _ = try await store.lastEvent()
            try await blocking { [artifacts] in _ = try artifacts.makeScratchFolder() }
            return try .json(["status": "ready"])
        }
    }
}
