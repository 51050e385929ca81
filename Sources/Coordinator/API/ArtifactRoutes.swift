import CompositionModel
import Farm
import Hummingbird
import Logging
import Storage

/// Workers’ artifacts: reading and storing bytes by digest.
struct ArtifactRoutes: RouteGroup {
    let artifacts: ArtifactStore
    let uploads: UploadReceiver
    let logger: Logger

    func add(to table: RouteTable) {
        for method in [.get, .head] as [HTTPRequest.Method] {
            table.on(method, "/v1/artifacts/{sha256}", .worker) { request, context in
                let digest = try context.digest()
                let file = try await blocking { [artifacts] in try artifacts.open(digest) }
                if method == .get && request.headers[.range] == nil { try await requireIntact(file) }
                return .file(file, for: request, type: "application/octet-stream")
            }
        }
        table.on(.put, "/v1/artifacts/{sha256}", .worker) { request, context in
            let digest = try context.digest()
            _ = try await uploads.receive(request, context, as: digest, withBlocks: false, isUnderWay: true)
            return Response(status: .created, headers: [.location: "/v1/artifacts/\(digest.hex)"])
        }
    }

    /// Reads the whole of a small file, such as a frame index, that is asked for whole.
    /// - Throws: ``StorageError/missing(_:)`` when the file has rotted: it is not stored any more then.
    private func requireIntact(_ file: StoredFile) async throws {
        do {
            try await readingWhole { [artifacts] in try artifacts.verify(file) }
        } catch StorageError.wrongDigest(let digest, _) {
            logger.warning("an artifact has rotted", metadata: ["artifact": "\(digest)"])
            throw StorageError.missing(digest)
        }
    }
}
