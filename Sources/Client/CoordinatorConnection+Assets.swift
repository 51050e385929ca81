import Curl
public import Foundation
public import CompositionModel
public import WireProtocol

extension CoordinatorConnection {
    /// Whether the coordinator has the asset.
    public func hasAsset(_ digest: ContentDigest) async throws(ClientError) -> Bool {
        try await exists("/v1/assets/\(digest.hex)")
    }

    /// Sends a file's bytes. The coordinator hashes and probes them before it answers.
    public func upload(asset digest: ContentDigest, from path: String) async throws(ClientError) {
        // Probing a long film takes minutes, in which no byte moves.
        let request = request(
            .put,
            "/v1/assets/\(digest.hex)",
            body: .file(path: path),
            stallTimeout: .seconds(3600)
        )
        _ = try await send(request)
    }

    /// Makes a file on the coordinator's own host an asset without sending it.
    /// - Returns: its digest, as the coordinator found it.
    public func register(path: String) async throws(ClientError) -> AssetRecord {
        try await post("/v1/assets:register", ["path": path], timeout: .seconds(3600), returning: AssetRecord.self)
    }

    public func record(of digest: ContentDigest) async throws(ClientError) -> AssetRecord {
        try await get(AssetRecord.self, "/v1/assets/\(digest.hex)/record")
    }

    /// The bytes of one block, not yet checked.
    public func block(_ range: Range<Int64>, of digest: ContentDigest) async throws(ClientError) -> Data {
        let header = (name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        let request = request(.get, "/v1/assets/\(digest.hex)", headers: [header], timeout: .seconds(120))
        let response = try await send(request)
        guard response.status == 206, response.body.count == range.count else {
            throw .notUnderstood("The coordinator answered a range of \(digest) with other bytes than those asked for.")
        }
        return response.body
    }
}
