import Media

/// Takes an encoder's packets until all frames of the segment are there, and leaves those of the post-roll out.
final class SegmentWriter {
    private let frameCount: Int64
    private let file: PacketFileWriter
    private let digests: any DigestRecorder
    private var writtenCount: Int64 = 0
    private var isWritten: [Bool]

    /// Begins the packet file.
    /// - Parameter frameCount: the frames of the segment, without its post-roll.
    /// - Throws: ``RenderError`` when the file cannot be written.
    init(path: String, header: PacketFileHeader, frameCount: Int64, digests: any DigestRecorder) throws {
        self.frameCount = frameCount
        self.digests = digests
        file = try PacketFileWriter(path: path, header: header)
        isWritten = Array(repeating: false, count: Int(frameCount))
    }

    /// All packets of the segment are written.
    var isComplete: Bool { writtenCount == frameCount }

    /// - Throws: ``RenderError`` `encoder_order` when the first packet is no keyframe of frame 0, or a frame comes
    ///   twice.
    func write(_ packet: EncodedPacket) throws {
        guard packet.pts < frameCount else { return }
        let isFirst = writtenCount == 0
        guard packet.pts >= 0, !isWritten[Int(packet.pts)], !isFirst || (packet.isKey && packet.pts == 0) else {
            throw RenderError("encoder_order", "The encoder gave frame \(packet.pts) at place \(writtenCount).")
        }
        isWritten[Int(packet.pts)] = true
        try file.write(
            CodedPacket(
                decodeIndex: writtenCount,
                displayIndex: packet.pts,
                duration: 1,
                isKey: packet.isKey,
                data: packet.data
            )
        )
        writtenCount += 1
        try digests.encoded(packet)
    }

    /// - Throws: ``RenderError`` `frames_missing`.
    func finish() throws {
        guard isComplete else {
            throw RenderError("frames_missing", "The encoder gave \(writtenCount) of \(frameCount) frames.")
        }
        try file.finish(digests: digests.finish())
    }
}
