import Media
import Timing

/// Takes the packets of a segment's parts, one part after the other, until all frames of the segment are there, and
/// leaves those of the post-roll out.
final class SegmentWriter {
    private let frameCount: Int64
    private let file: PacketFileWriter
    private let digests: LosslessDigests?
    private var writtenCount: Int64 = 0
    private var isWritten: [Bool]
    /// The frames of the part whose packets come.
    private var part: FrameRange
    private var partCount: Int64 = 0

    /// Begins the packet file.
    /// - Parameters:
    ///   - frameCount: the frames of the segment, without its post-roll.
    ///   - digests: of the frames beside the segment's joins, where its joins are proved by decoding.
    /// - Throws: ``RenderError`` when the file cannot be written.
    init(path: String, header: PacketFileHeader, frameCount: Int64, digests: LosslessDigests? = nil) throws {
        self.frameCount = frameCount
        self.digests = digests
        part = FrameRange(start: 0, count: frameCount)
        file = try PacketFileWriter(path: path, header: header)
        isWritten = Array(repeating: false, count: Int(frameCount))
    }

    /// Begins the next part.
    /// - Parameter frames: the frames of the segment that it delivers.
    func begin(_ frames: FrameRange) {
        part = frames
        partCount = 0
    }

    /// All packets of the part are written.
    var isPartComplete: Bool { partCount == part.count }

    /// - Parameters:
    ///   - packet: its pts counts frames from the part's first.
    ///   - headerNumber: the header with which it was coded (``CodedPacket/headerNumber``).
    /// - Throws: ``RenderError`` `encoder_order` when the first packet of a part is no keyframe of its first frame, or a
    ///   frame comes twice.
    func write(_ packet: EncodedPacket, headerNumber: Int = 0) throws {
        guard packet.pts < part.count else { return }
        let frame = part.start + packet.pts
        let isFirst = partCount == 0
        guard packet.pts >= 0, !isWritten[Int(frame)], !isFirst || (packet.isKey && packet.pts == 0) else {
            throw RenderError("encoder_order", "The encoder gave frame \(frame) at place \(writtenCount).")
        }
        isWritten[Int(frame)] = true
        partCount += 1
        try file.write(
            CodedPacket(
                decodeIndex: writtenCount,
                displayIndex: frame,
                duration: 1,
                isKey: packet.isKey,
                headerNumber: headerNumber,
                data: packet.data
            )
        )
        writtenCount += 1
    }

    /// - Throws: ``RenderError`` `frames_missing`.
    func finish() throws {
        guard writtenCount == frameCount else {
            throw RenderError("frames_missing", "The encoder gave \(writtenCount) of \(frameCount) frames.")
        }
        try file.finish(digests: digests?.frameDigests ?? [])
    }
}
