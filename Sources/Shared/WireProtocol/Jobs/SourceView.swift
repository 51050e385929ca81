package import CompositionModel

/// The states of a source. docs/states.md draws how they follow each other.
package enum SourceState: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is fetched once a coordinator has a place for it, or after a pause.
    case waiting
    /// A coordinator fetches it.
    case fetching
    /// It is an asset.
    case ready
    /// It cannot be had.
    case failed
}

/// A file elsewhere that the coordinator fetches as an asset: the answer to `POST /v1/sources` and `GET /v1/sources/{id}`.
package struct SourceView: Sendable, Hashable, Codable {
    /// The identifier: it follows from the owner and from all that was asked for.
    package var id: ContentDigest
    /// The address as it was asked for.
    package var address: String
    /// How far it is.
    package var state: SourceState
    /// The number of bytes that are here.
    package var receivedByteCount: Int64
    /// The number of bytes of the whole; nil while the server has not said it.
    package var byteCount: Int64?
    /// The asset; nil unless the source is ready.
    package var asset: ContentDigest?
    /// The reason why it is not here yet, as a sentence; nil while nothing went wrong.
    package var waiting: String?
    /// The reason why it cannot be had; nil unless it failed.
    package var failure: Failure?

    package init(
        id: ContentDigest,
        address: String,
        state: SourceState,
        receivedByteCount: Int64 = 0,
        byteCount: Int64? = nil,
        asset: ContentDigest? = nil,
        waiting: String? = nil,
        failure: Failure? = nil
    ) {
        self.id = id
        self.address = address
        self.state = state
        self.receivedByteCount = receivedByteCount
        self.byteCount = byteCount
        self.asset = asset
        self.waiting = waiting
        self.failure = failure
    }
}
