import CompositionModel
import Media

/// Digests by decoding the part's own packets, as the stitcher will: its head once it is complete, its last GOP at the
/// end.
final class DecodedDigests: DigestRecorder {
    private let makeDecoder: () throws(MediaError) -> VideoDecoder
    private var headLeft: Int64
    private var head: [EncodedPacket] = []
    /// Packets since the last keyframe.
    private var tail: [EncodedPacket] = []
    private var digests: [Int64: ContentDigest] = [:]

    /// - Parameter makeDecoder: a new bare decoder for the part's packets.
    init(frameCount: Int64, makeDecoder: @escaping () throws(MediaError) -> VideoDecoder) {
        headLeft = min(frameCount, FrameDigests.headCount)
        self.makeDecoder = makeDecoder
    }

    func composited(_ picture: Picture, frame: Int64) {}

    func encoded(_ packet: EncodedPacket) throws(MediaError) {
        if packet.isKey { tail.removeAll() }
        tail.append(packet)
        try addToHead(packet)
    }

    func finish() throws(MediaError) -> [PacketFileSummary.FrameDigest] {
        try decode(tail) { _ in true }
        return digests.frameDigests
    }

    private func addToHead(_ packet: EncodedPacket) throws(MediaError) {
        guard headLeft > 0 else { return }
        head.append(packet)
        if packet.pts < FrameDigests.headCount { headLeft -= 1 }
        guard headLeft == 0 else { return }
        try decode(head) { $0 < FrameDigests.headCount }
        head.removeAll()
    }

    private func decode(_ packets: [EncodedPacket], isWanted: (Int64) -> Bool) throws(MediaError) {
        let decoder = try makeDecoder()
        for packet in packets { record(try decoder.decode(packet), isWanted) }
        record(try decoder.decode(nil), isWanted)
    }

    private func record(_ pictures: [Picture], _ isWanted: (Int64) -> Bool) {
        for picture in pictures where isWanted(picture.pts) { digests[picture.pts] = picture.digest() }
    }
}
