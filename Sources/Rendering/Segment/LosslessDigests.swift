import CompositionModel
import Media

/// The digests of a part's first frames and of its last one, of a codec that gives back what was encoded and whose every
/// frame is a group of its own: a stitcher decodes these frames on both sides of a join (docs/packet-file.md).
final class LosslessDigests {
    /// Frames at a part's start.
    static let headCount: Int64 = 16

    private let frameCount: Int64
    private var digests: [Int64: ContentDigest] = [:]

    init(frameCount: Int64) { self.frameCount = frameCount }

    /// Takes own frame `frame` as it goes to the encoder, in order.
    func composited(_ picture: Picture, frame: Int64) {
        guard frame < Self.headCount || frame == frameCount - 1 else { return }
        digests[frame] = picture.digest()
    }

    /// By ascending frame.
    var frameDigests: [PacketFileSummary.FrameDigest] {
        digests.sorted { $0.key < $1.key }.map { PacketFileSummary.FrameDigest(displayIndex: $0.key, digest: $0.value) }
    }
}
