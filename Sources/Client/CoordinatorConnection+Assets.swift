package import CompositionModel
import Curl
package import Foundation
package import WireProtocol

extension CoordinatorConnection {
    /// Asks whether the coordinator has the asset, with facts of its version.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func hasAsset(_ digest: ContentDigest) async throws(ClientError) -> Bool {
        try await exists("/v1/assets/\(digest.hex)")
    }

    /// How much of an upload that was cut is here, from the first byte on; nil when there is none, or the coordinator
    /// knows no such uploads.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func uploadOffset(of digest: ContentDigest) async throws(ClientError) -> Int64? {
        do {
            let answer = try await send(request(.head, "/v1/assets/\(digest.hex)/upload", timeout: .seconds(60)))
            return answer.headers["upload-offset"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
        } catch {
            guard case .problem(let problem) = error, [404, 405].contains(problem.status) else { throw error }
            return nil
        }
    }

    /// Sends a file's bytes. The coordinator hashes and probes them before it answers, which takes minutes for a long
    /// film. What came before the connection was cut is kept there: ``uploadOffset(of:)`` says how much.
    /// - Parameters:
    ///   - digest: the SHA-256 of the file.
    ///   - path: the path of the file.
    ///   - offset: the first byte to send, which is where the upload stands; nil begins it.
    ///   - onSent: takes the number of bytes that were sent so far by this request, now and then.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 422 for bytes that are no
    ///   media or have another digest; 409 `upload_offset`, `upload_busy` or `upload_gone` when the upload does not
    ///   stand there any more.
    package func upload(
        asset digest: ContentDigest,
        from path: String,
        at offset: Int64? = nil,
        onSent: (@Sendable (_ byteCount: Int64) -> Void)? = nil
    ) async throws(ClientError) {
        // draft-ietf-httpbis-resumable-upload §4.2.1 and §4.4.1.
        var (method, address) = (HTTPRequest.Method.put, "/v1/assets/\(digest.hex)")
        var headers = [(name: "Upload-Complete", value: "?1")]
        if let offset {
            (method, address) = (.patch, address + "/upload")
            headers += [
                (name: "Upload-Offset", value: String(offset)),
                (name: "Content-Type", value: "application/partial-upload"),
            ]
        }
        // Probing a long film takes minutes, in which no byte moves.
        var request = request(
            method,
            address,
            headers: headers,
            body: .file(path: path, offset: offset ?? 0),
            stallTimeout: .seconds(3600)
        )
        request.sendingStallTimeout = .seconds(45)
        request.onSent = onSent
        _ = try await send(request)
    }

    /// Makes a file on the coordinator's own host an asset without sending it.
    /// - Parameter path: an absolute path below one of the coordinator's asset roots.
    /// - Returns: the record with the digest that the coordinator found.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func register(path: String) async throws(ClientError) -> AssetRecord {
        try await post("/v1/assets:register", ["path": path], timeout: .seconds(3600), returning: AssetRecord.self)
    }

    /// The record of an asset: its length, blocks, facts and frame indexes.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 for an asset that it
    ///   does not have.
    package func record(of digest: ContentDigest) async throws(ClientError) -> AssetRecord {
        try await get(AssetRecord.self, "/v1/assets/\(digest.hex)/record")
    }

    /// The bytes of one block of an asset. They are not checked against the block's digest.
    /// - Parameter range: the block's half-open range of bytes.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached, or answers with another number of
    ///   bytes; status 410 for a registered file that was changed.
    package func block(_ range: Range<Int64>, of digest: ContentDigest) async throws(ClientError) -> Data {
        if let data = try await blockElsewhere(range, of: digest) { return data }
        let header = (name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        let request = request(.get, "/v1/assets/\(digest.hex)", headers: [header], timeout: .seconds(120))
        var answer = try await answerOrAddress(request, of: digest)
        if answer == nil {
            if let data = try await blockElsewhere(range, of: digest) { return data }
            answer = try await send(request)
        }
        guard let response = answer else { throw .notUnderstood("The coordinator gave no block of \(digest).") }
        guard response.status == 206, response.body.count == range.count else {
            throw .notUnderstood("The coordinator answered a range of \(digest) with other bytes than those asked for.")
        }
        return response.body
    }
}
