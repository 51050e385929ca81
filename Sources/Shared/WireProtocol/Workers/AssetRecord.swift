public import CompositionModel
import Planning

/// `GET /v1/assets/{sha256}/record`: what a worker needs beside the bytes. SHA-256 of every 1 MiB block (the last one
/// may be shorter), in order; the frame index of each picture stream is an artifact of its own.
public struct AssetRecord: Sendable, Hashable, Codable {
    public static let blockSize: Int64 = 1 << 20

    public var digest: ContentDigest
    public var byteCount: Int64
    public var blocks: [ContentDigest]
    public var facts: AssetFacts?
    /// libavformat stream index → artifact that holds the stream's ``FrameIndex`` in its binary form.
    public var frameIndexes: [Int: ContentDigest]

    public init(
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
