import CompositionModel
import Farm
import Hummingbird
import Logging
import Storage
import WireProtocol

/// The body of `POST /v1/assets:register`.
private struct PathRegistration: Decodable {
    var path: String
}

/// The body of `POST /v1/assets:known`, and its answer: the digests of assets, those that are here in the answer.
struct AssetDigests: Codable {
    /// The most digests that one request may name.
    static let limit = 500

    var digests: [ContentDigest]
}

/// The assets of edits: looking them up, uploading them, and registering files of this host.
struct AssetRoutes: RouteGroup {
    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let intake: AssetIntake
    let uploads: UploadReceiver
    let resuming: UploadRoutes
    let roots: AllowedRoots
    let logger: Logger

    func add(to table: RouteTable) {
        for method in [.get, .head] as [HTTPRequest.Method] {
            table.on(method, "/v1/assets/{sha256}", .submit, .worker) { request, context in
                let digest = try context.digest()
                guard let asset = try await intake.known(digest) else {
                    // Who reads hears that a registered file was changed, and does not ask again; who asks whether it
                    // is here sends the bytes.
                    if method == .get { _ = try await artifacts.reader(digest) }
                    throw StorageError.missing(digest.description)
                }
                if let elsewhere = try await request.redirect(to: digest, in: artifacts) { return elsewhere }
                let file = try await artifacts.reader(digest)
                let watch = IntegrityCheck(artifacts: artifacts, blocks: asset.record.blocks, logger: logger)
                return try await .artifact(file, for: request, type: "application/octet-stream", watch: watch)
            }
        }
        table.on(.get, "/v1/assets/{sha256}/record", .submit, .worker) { _, context in
            let digest = try context.digest()
            guard let asset = try await store.asset(digest) else { throw StorageError.missing(digest.description) }
            return try .json(asset.record)
        }
        table.on(.post, "/v1/assets:known", .submit) { request, context in
            let asked = try await request.json(AssetDigests.self, upTo: BodyLimit.small, context).digests
            guard asked.count <= AssetDigests.limit else {
                throw Problem.notUnderstood("One request asks for at most \(AssetDigests.limit) digests.")
            }
            var known: [ContentDigest] = []
            for digest in asked where try await intake.known(digest) != nil { known.append(digest) }
            return try .json(AssetDigests(digests: known))
        }
        table.on(.put, "/v1/assets/{sha256}", .submit) { request, context in
            let digest = try context.digest()
            // Who does not say so does not come back for the rest, and nothing of a body that is cut is kept.
            if request.headers[.uploadComplete] != nil {
                return try await resuming.completing(digest, of: context) {
                    try await resuming.resumable.begin(digest, request, context)
                }
            }
            let wasKnown = try await intake.known(digest)
            let received = try await uploads.receive(request, context, as: digest, withBlocks: true)
            if let wasKnown { return try .json(wasKnown.record) }
            return try .json(try await intake.take(received.hashed, published: received.publication), status: .created)
        }
        table.on(.post, "/v1/assets", .submit) { request, context in
            // Whoever cannot hash, such as a page over plain HTTP, learns the digest from the answer.
            let received = try await uploads.receive(request, context, as: nil, withBlocks: true)
            if let known = try await intake.known(received.hashed.digest) { return try .json(known.record) }
            return try .json(try await intake.take(received.hashed, published: received.publication), status: .created)
        }
        table.on(.post, "/v1/assets:register", .submit) { request, context in
            guard context.isLoopback, !request.isForwarded else {
                throw Problem(
                    status: 403,
                    code: "not_local",
                    title: "Not local",
                    detail: "Files are registered by path only from the coordinator's own host; send the bytes."
                )
            }
            let body = try await request.json(PathRegistration.self, upTo: BodyLimit.small, context)
            let file = try await blocking { [roots] in try roots.locate(body.path) }
            return try .json(try await intake.register(file))
        }
    }
}
