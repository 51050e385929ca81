package import CompositionModel
import Planning

/// The answer to `GET /v1/assets/{sha256}/record`: what a worker needs to know of an asset beside its bytes.
package struct AssetRecord: Sendable, Hashable, Codable {
    /// The length of a block in bytes, 1 MiB; the last block of an asset may be shorter.
    package static let blockSize: Int64 = 1 << 20

    /// The SHA-256 of all bytes of the asset.
    package var digest: ContentDigest
    /// The asset's length in bytes.
    package var byteCount: Int64
    /// The SHA-256 of each block, in order.
    package var blocks: [ContentDigest]
    /// What probing found in the asset; nil before it was probed.
    package var facts: AssetFacts?
    /// The artifacts that hold the ``FrameIndex`` of each picture stream in its binary form, by libavformat's stream
    /// index.
    package var frameIndexes: [Int: ContentDigest]

    package init(
        digest: ContentDigest,
        byteCount: Int64,
        blocks: [ContentDigest],
        facts: AssetFacts?,
        frameIndexes: [Int: ContentDigest]
    ) {
        self.digest = digest
        self.byteCount = byteCount
        self.blocks = blocks
        self.facts = facts
        self.frameIndexes = frameIndexes
    }
}
