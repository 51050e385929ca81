import CompositionModel
import Media

/// The frames of a part that carry digests: those that a stitcher decodes on both sides of a join
/// (docs/packet-file.md).
enum FrameDigests {
    /// Frames at a part's start.
    static let headCount: Int64 = 16
}

/// Takes the digests of a part's first frames and of its last GOP.
protocol DigestRecorder: AnyObject {
    /// Takes own frame `frame` as it goes to the encoder, in order.
    func composited(_ picture: Picture, frame: Int64)
    /// A packet of an own frame, in decode order.
    func encoded(_ packet: EncodedPacket) throws(MediaError)
    /// Ends after the last packet.
    /// - Returns: the digests by ascending frame.
    /// - Throws: ``MediaError`` when the packets cannot be decoded.
    func finish() throws(MediaError) -> [PacketFileSummary.FrameDigest]
}

extension [Int64: ContentDigest] {
    var frameDigests: [PacketFileSummary.FrameDigest] {
        sorted { $0.key < $1.key }.map { PacketFileSummary.FrameDigest(displayIndex: $0.key, digest: $0.value) }
    }
}
