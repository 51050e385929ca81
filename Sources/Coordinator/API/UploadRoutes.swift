import CompositionModel
import Farm
import Hummingbird
import Storage
import WireProtocol

/// Uploads of assets that go on where they were cut: draft-ietf-httpbis-resumable-upload, with an address for the upload
/// that follows from the digest. So a client that lost everything but the file finds its upload again.
struct UploadRoutes: RouteGroup {
    let artifacts: ArtifactStore
    let intake: AssetIntake
    let resumable: ResumableReceiver
    /// The time without a byte after which an upload is forgotten.
    let idle: Duration

    func add(to table: RouteTable) {
        let address = "/v1/assets/{sha256}/upload"
        table.on(.head, address, .submit) { _, context in
            let (digest, owner) = (try context.digest(), try context.require([.submit]).owner)
            if let asset = try await intake.known(digest) {
                let byteCount = asset.record.byteCount
                return answer(offset: byteCount, of: byteCount, isComplete: true)
            }
            let standing = try await blocking { [artifacts] in artifacts.uploads(of: owner).standing(of: digest) }
            guard let standing else { throw Problem.notFound }
            return answer(offset: standing.offset, of: standing.byteCount, isComplete: false)
        }
        table.on(.patch, address, .submit) { request, context in
            guard request.headers[.contentType] == "application/partial-upload" else {
                throw Problem(
                    status: 415,
                    code: "unsupported_type",
                    title: "Unsupported type",
                    detail: "The body must be sent as Content-Type: application/partial-upload."
                )
            }
            let digest = try context.digest()
            return try await completing(digest, of: context) { try await resumable.go(on: digest, request, context) }
        }
        table.on(.delete, address, .submit) { _, context in
            let (digest, owner) = (try context.digest(), try context.require([.submit]).owner)
            guard try await blocking({ [artifacts] in try artifacts.uploads(of: owner).remove(digest) }) else {
                throw Problem.notFound
            }
            return Response(status: .noContent)
        }
    }

    /// Receives bytes, and makes an asset of an upload that is complete. It is forgotten once that is an asset, or can be
    /// none; whoever is cut off before sends an empty rest.
    func completing(
        _ digest: ContentDigest,
        of context: FarmRequestContext,
        _ receive: () async throws -> ResumableReceiver.Outcome
    ) async throws -> Response {
        let wasKnown = try await intake.known(digest)
        do {
            switch try await receive() {
            case .unfinished(let offset): return answer(offset: offset, of: nil, isComplete: false)
            case .complete(let received):
                let owner = try context.require([.submit]).owner
                let forget = { try await blocking { [artifacts] in try artifacts.uploads(of: owner).remove(digest) } }
                let record: AssetRecord
                do {
                    record =
                        if let wasKnown { wasKnown.record } else {
                            try await intake.take(received.hashed, published: received.publication)
                        }
                } catch let problem as Problem where problem.status == 422 {
                    _ = try await forget()
                    throw problem
                }
                _ = try await forget()
                var response = try Response.json(record, status: wasKnown == nil ? .created : .ok)
                response.headers[.uploadComplete] = "?1"
                return response
            }
        } catch UploadRefusal.offset(let offset) {
            // Draft §4.4.2: the answer says where to go on.
            var response = Problem.describing(UploadRefusal.offset(offset))?.response() ?? Response(status: .conflict)
            response.headers[.uploadOffset] = String(offset)
            response.headers[.uploadComplete] = "?0"
            return response
        }
    }

    private func answer(offset: Int64, of byteCount: Int64?, isComplete: Bool) -> Response {
        var response = Response(status: .noContent)
        response.headers[.uploadOffset] = String(offset)
        response.headers[.uploadComplete] = isComplete ? "?1" : "?0"
        if let byteCount { response.headers[.uploadLength] = String(byteCount) }
        response.headers[.uploadLimit] =
            "max-size=\(resumable.limit), min-append-size=\(ResumableReceiver.leastPiece), "
            + "max-age=\(idle.components.seconds)"
        return response
    }
}
