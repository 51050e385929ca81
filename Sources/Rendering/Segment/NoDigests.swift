import Media

/// Records nothing: the joins of a part with copied pictures are proved in other ways.
final class NoDigests: DigestRecorder {
    func composited(_ picture: Picture, frame: Int64) {}

    func encoded(_ packet: EncodedPacket) {}

    func finish() -> [PacketFileSummary.FrameDigest] { [] }
}
