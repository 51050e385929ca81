import Bitstream
import Timing

/// Walks over the packets of consecutive shown frames of a stream, in decode order.
struct CopiedPackets {
    private let stream: CopiedStream
    let frames: FrameRange
    /// Packets of the frames so far.
    private(set) var count: Int64 = 0

    /// - Parameter frames: shown frames of the stream; the first is an entry, the last one before an end (``CopyStretch``).
    /// - Throws: ``MediaError`` when the file is not what the probe found.
    init(_ stream: CopiedStream, frames: FrameRange) throws(MediaError) {
        guard !frames.isEmpty else { throw Self.unfitting }
        self.stream = stream
        self.frames = frames
        try stream.move(to: frames.start)
    }

    /// A packet of the walk.
    struct Element {
        /// Position of the packet in decode order, counted from the start of the stream.
        var number: Int
        /// The shown frame that the packet holds; nil for one that holds none of the frames.
        var frame: Int64?
        var bytes: [UInt8]
    }

    /// The next packet of a frame, and those before it that hold none of the frames.
    /// - Returns: nil after the last frame.
    /// - Throws: ``MediaError`` when the file is not what the probe found.
    mutating func next() throws(MediaError) -> Element? {
        guard count < frames.count else { return nil }
        guard let packet = try stream.next() else { throw Self.unfitting }
        let frame = packet.frame.flatMap { frames.contains($0) ? $0 : nil }
        if frame != nil { count += 1 }
        return Element(number: packet.number, frame: frame, bytes: packet.bytes)
    }

    /// The NAL units of a packet.
    func units(of bytes: [UInt8]) throws(BitstreamError) -> [ArraySlice<UInt8>] {
        try stream.prefix?.units(of: bytes[...]) ?? AnnexB.units(of: bytes[...])
    }

    static let unfitting = MediaError.invalidIndex(
        "A span to copy does not end where its frames do; probe the asset again."
    )
}
