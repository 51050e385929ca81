import Bitstream
import CompositionModel
import Timing

/// Walks over the packets of consecutive shown frames of a stream, in decode order.
struct CopiedPackets {
    private let cursor: PacketCursor
    /// The shown frame that each packet holds; nil for others.
    private let frameOfPacket: [Int: Int64]
    let frames: FrameRange
    /// How the packets hold NAL units; nil for start codes, and of codecs without them.
    let prefix: LengthPrefix?
    private(set) var count: Int64 = 0

    /// - Parameters:
    ///   - frames: shown frames of the stream; the first is an entry, the last one before an end (``CopyStretch``).
    /// - Throws: ``MediaError`` when the source cannot be opened or does not fit its index.
    init(source: any ByteSource, index: FrameIndex, frames: FrameRange) throws(MediaError) {
        let positions = index.shownPositions()
        guard positions.count == index.shown.count, frames.start >= 0, frames.end <= positions.count, !frames.isEmpty
        else { throw .invalidIndex("A span to copy is not in the frame index; probe the asset again.") }
        var frameOfPacket: [Int: Int64] = [:]
        for frame in frames.start..<frames.end { frameOfPacket[positions[Int(frame)]] = frame }
        self.frames = frames
        self.frameOfPacket = frameOfPacket
        cursor = try PacketCursor(source, index: index)
        prefix = try cursor.copiedPrefix()
        try cursor.move(to: positions[Int(frames.start)])
    }

    /// The next packet of a frame, and those before it that hold none of the frames.
    /// - Returns: nil after the last frame.
    /// - Throws: ``MediaError`` when the file is not what the probe found.
    mutating func next() throws(MediaError) -> (frame: Int64?, bytes: [UInt8])? {
        guard count < frames.count else { return nil }
        guard let (number, packet) = try cursor.next() else { throw Self.unfitting }
        let frame = frameOfPacket[number]
        if frame != nil { count += 1 }
        return (frame, Array(packet.bytes))
    }

    static let unfitting = MediaError.invalidIndex(
        "A span to copy does not end where its frames do; probe the asset again."
    )
}
