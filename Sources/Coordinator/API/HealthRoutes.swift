import Farm
import Hummingbird
import Logging
import Storage

/// The health checks for a supervisor.
struct HealthRoutes: RouteGroup {
    let store: any FarmStore
    let artifacts: ArtifactStore

    /// `/healthz` says that the process answers, `/readyz` that the database with its tables and the artifact store do.
    func add(to table: RouteTable) {
        table.on(.get, "/healthz") { _, _ in try .json(["status": "ok"]) }
        table.on(.get, "/readyz") { _, _ in
            // Of a table, not of the server's clock: a database without its schema is not ready.
            _ = try await store.lastEvent()
            try await blocking { [artifacts] in _ = try artifacts.makeScratchFolder() }
            return try .json(["status": "ready"])
        }
    }
}
