import CompositionModel
import Farm
import Hummingbird
import Logging
import Storage
import WireProtocol

/// Workers’ artifacts: reading and storing bytes by digest.
struct ArtifactRoutes: RouteGroup {
    let artifacts: ArtifactLibrary
    let uploads: UploadReceiver
    /// Whether workers may send artifacts to the farm's bucket themselves.
    let workersSend: Bool
    let logger: Logger

    func add(to table: RouteTable) {
        for method in [.get, .head] as [HTTPRequest.Method] {
            table.on(method, "/v1/artifacts/{sha256}", .worker) { request, context in
                let digest = try context.digest()
                var file = try await artifacts.reader(digest)
                if method == .get && request.headers[.range] == nil { file = try await intact(file) }
                return try await .artifact(file, for: request, type: "application/octet-stream")
            }
        }
        table.on(.put, "/v1/artifacts/{sha256}", .worker) { request, context in
            let digest = try context.digest()
            _ = try await uploads.receive(request, context, as: digest, withBlocks: false, isUnderWay: true)
            try await artifacts.keep(digest)
            return Response(status: .created, headers: [.location: "/v1/artifacts/\(digest.hex)"])
        }
        table.on(.post, "/v1/artifacts/{sha256}/order", .worker) { request, context in
            let digest = try context.digest()
            let question = try await request.json(UploadQuestion.self, upTo: BodyLimit.small, context)
            guard let bucket = artifacts.bucket, workersSend, (0...BucketArtifacts.largestPut) ~= question.byteCount
            else { throw Problem.sentHere }
            return try .json(bucket.order(digest, byteCount: question.byteCount))
        }
        table.on(.post, "/v1/artifacts/{sha256}/stored", .worker) { request, context in
            let digest = try context.digest()
            let notice = try await request.json(UploadNotice.self, upTo: BodyLimit.small, context)
            guard let bucket = artifacts.bucket, workersSend else { throw Problem.sentHere }
            guard let object = try await bucket.stored(notice.object, digest, byteCount: notice.byteCount) else {
                throw Problem.objectMissing(notice, digest)
            }
            CrashPoint.reached("artifact.sent")
            guard try await bucket.note(object) else { throw Problem.objectMissing(notice, digest) }
            return Response(status: .created, headers: [.location: "/v1/artifacts/\(digest.hex)"])
        }
    }

    /// Reads the whole of a small file, such as a frame index, that is asked for whole. What an object holds is compared by
    /// whoever asked.
    /// - Returns: `reader`, or the object where the copy of it has rotted.
    /// - Throws: ``StorageError/missing(_:)`` when the file has rotted: it is not stored any more then.
    private func intact(_ reader: ArtifactReader) async throws -> ArtifactReader {
        guard case .file(let file) = reader else { return reader }
        do {
            try await readingWhole { [folder = artifacts.folder] in try folder.verify(file) }
            return reader
        } catch StorageError.wrongDigest(let digest, _) {
            logger.warning("an artifact has rotted", metadata: ["artifact": "\(digest)"])
            guard artifacts.bucket != nil else { throw StorageError.missing(digest) }
            return try await artifacts.reader(file.digest)
        }
    }
}

extension Problem {
    /// The answer to a worker that says it stored what is not there.
    fileprivate static func objectMissing(_ notice: UploadNotice, _ digest: ContentDigest) -> Problem {
        .conflict(
            "object_missing",
            "\(notice.object) is no object of \(notice.byteCount) bytes that was ordered for \(digest); send it anew."
        )
    }
}
