import CompositionModel
import Media

/// Decodes both sides of every join of lossless parts as a player would, through one decoder, and compares with the
/// digests that the parts recorded.
///
/// ```
/// part A  …  I p b p b p     part B   I p b p b p  …
///            └ last GOP  ┘            └ first 16 ┘
/// ```
final class JoinVerifier {
    /// One part's packets beside its joins, and its digests; all in frames of the movie.
    private struct Side {
        var firstFrame: Int64 = 0
        var lastKeyIndex: Int64 = 0
        var digests: [Int64: ContentDigest] = [:]
        /// The packets from the start on, until all of the first frames are in them.
        var head: [EncodedPacket] = []
        var headLeft: Int64 = 0
        var tail: [EncodedPacket] = []
    }

    private let header: PacketFileHeader
    private let video: PacketFileHeader.VideoContent
    private var previous: Side?
    private var current = Side()

    /// - Parameter header: the header of the parts, with which their packets are decoded.
    init(header: PacketFileHeader, video: PacketFileHeader.VideoContent) {
        self.header = header
        self.video = video
    }

    /// A part begins whose frame 0 is the movie's frame `firstFrame`.
    func begin(_ summary: PacketFileSummary, firstFrame: Int64) {
        current = Side(firstFrame: firstFrame, lastKeyIndex: summary.lastKeyIndex)
        current.headLeft = min(summary.packetCount, LosslessDigests.headCount)
        for frame in summary.digests { current.digests[frame.displayIndex + firstFrame] = frame.digest }
    }

    /// - Parameters:
    ///   - packet: the packet as the movie gets it.
    ///   - decodeIndex: its place in the part.
    /// - Throws: ``RenderError`` `join_damaged` when the join before this part does not decode to what was recorded.
    func add(_ packet: EncodedPacket, decodeIndex: Int64) throws(RenderError) {
        if decodeIndex >= current.lastKeyIndex { current.tail.append(packet) }
        guard current.headLeft > 0 else { return }
        current.head.append(packet)
        if packet.pts < current.firstFrame + LosslessDigests.headCount { current.headLeft -= 1 }
        if current.headLeft == 0 { try verifyJoin() }
    }

    /// The part ended.
    func end() { previous = current }

    private func verifyJoin() throws(RenderError) {
        defer {
            previous = nil
            current.head.removeAll()
        }
        guard let previous else { return }
        let packets = previous.tail + current.head
        let end = current.firstFrame + LosslessDigests.headCount
        var expected: [Int64: ContentDigest] = [:]
        for packet in packets where packet.pts < end {
            guard let digest = previous.digests[packet.pts] ?? current.digests[packet.pts] else {
                throw damaged("has no digest of frame \(packet.pts)")
            }
            expected[packet.pts] = digest
        }
        try decode(packets) { picture throws(RenderError) in
            guard picture.pts < end else { return }
            guard expected.removeValue(forKey: picture.pts) == picture.digest() else {
                throw damaged("decodes to another picture at frame \(picture.pts)")
            }
        }
        guard let lost = expected.keys.min() else { return }
        throw damaged("loses frame \(lost)")
    }

    /// Hands every picture over as soon as it is there, so that a long GOP needs no more memory than a short one.
    private func decode(
        _ packets: [EncodedPacket],
        _ take: (Picture) throws(RenderError) -> Void
    ) throws(RenderError) {
        let decoder = try decoding { () throws(MediaError) in
            try VideoDecoder(
                codec: video.codec,
                extradata: header.extradata,
                size: video.size,
                color: video.color,
                threads: 1
            )
        }
        for packet in packets.map(Optional.some) + [nil] {
            for picture in try decoding({ () throws(MediaError) in try decoder.decode(packet) }) { try take(picture) }
        }
    }

    private func decoding<Result>(_ body: () throws(MediaError) -> Result) throws(RenderError) -> Result {
        do { return try body() } catch { throw damaged("cannot be decoded (\(error.failure.message))") }
    }

    private func damaged(_ what: String) -> RenderError {
        RenderError(
            "join_damaged",
            "The join at frame \(current.firstFrame) \(what); render the parts beside it again.",
            isPermanent: true
        )
    }
}
