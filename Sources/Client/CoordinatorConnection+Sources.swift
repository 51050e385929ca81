package import CompositionModel
package import WireProtocol

extension CoordinatorConnection {
    /// Asks the coordinator to fetch a file as an asset; the same order gives the same source again.
    /// - Throws: ``ClientError``: status 422 for an address that is not allowed or not understood.
    package func ask(for order: SourceOrder) async throws(ClientError) -> SourceView {
        try await post("/v1/sources", order, returning: SourceView.self)
    }

    /// How far a source is.
    /// - Throws: ``ClientError``: status 404 for a source that this owner did not ask for.
    package func source(_ id: ContentDigest) async throws(ClientError) -> SourceView {
        try await get(SourceView.self, "/v1/sources/\(id.hex)")
    }
}
