import Farm
import Hummingbird
import Logging
import Shared
import Storage

extension CoordinatorParts {
    /// `/healthz`: the process answers. `/readyz`: so do the database and the artifact store.
    func addHealth(to table: RouteTable) {
        table.on(.get, "/healthz") { _, _ in try .json(["status": "ok"]) }
        table.on(.get, "/readyz") { _, _ in
            _ = try await store.now()
            try await blocking { [artifacts] in _ = try artifacts.makeScratchFolder() }
            return try .json(["status": "ready"])
        }
    }
}
