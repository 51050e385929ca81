import CompositionModel
import Media

/// Digests where the decoder gives back what was encoded and every frame is a GOP of its own.
final class LosslessDigests: DigestRecorder {
    private let frameCount: Int64
    private var digests: [Int64: ContentDigest] = [:]

    init(frameCount: Int64) { self.frameCount = frameCount }

    func composited(_ picture: Picture, frame: Int64) {
        guard frame < FrameDigests.headCount || frame == frameCount - 1 else { return }
        digests[frame] = picture.digest()
    }

    func encoded(_ packet: EncodedPacket) {}

    func finish() -> [PacketFileSummary.FrameDigest] { digests.frameDigests }
}
