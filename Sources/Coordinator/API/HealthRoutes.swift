import Farm
import Hummingbird
import Logging
import Storage
import WireProtocol

/// The health checks for a supervisor.
struct HealthRoutes: RouteGroup {
    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let space: SpaceWatch

    /// `/healthz` says that the process answers, `/readyz` that the database with its tables and the artifact store do,
    /// and that there is room for something new.
    func add(to table: RouteTable) {
        table.on(.get, "/healthz") { _, _ in try .json(["status": "ok"]) }
        table.on(.get, "/readyz") { _, _ in
            // Of a table, not of the server's clock: a database without its schema is not ready.
            _ = try await store.lastEvent()
            try await blocking { [folder = artifacts.folder] in _ = try folder.makeScratchFolder() }
            try await artifacts.bucket?.requireAnswer()
            if let shortage = space.shortage() { throw Problem(shortage, status: 503) }
            return try .json(["status": "ready"])
        }
    }
}
