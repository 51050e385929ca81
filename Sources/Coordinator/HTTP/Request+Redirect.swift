import CompositionModel
import Hummingbird

extension Request {
    /// The media type by which a client says that it follows a redirection to the farm's bucket.
    static let addressType = "application/vnd.cutfarm.address"

    /// The answer that sends a client which says it follows to the farm's bucket; nil for other clients, and where there is
    /// no bucket.
    /// - Throws: `StorageError.missing` when nothing is stored under `digest`.
    func redirect(to digest: ContentDigest, in artifacts: ArtifactLibrary) async throws -> Response? {
        guard method == .get, headers[.accept]?.contains(Self.addressType) == true,
            let address = try await artifacts.address(of: digest)
        else { return nil }
        // The signature is good for as long, less what the request took.
        let cache = "private, max-age=\(BucketArtifacts.addressSeconds - 60)"
        return Response(
            status: .temporaryRedirect,
            headers: [.location: address, .cacheControl: cache, .vary: "Accept"]
        )
    }
}
