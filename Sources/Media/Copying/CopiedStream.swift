import Bitstream
package import CompositionModel
import Timing

/// A picture stream that is copied from: its open file, and the packet of each shown frame.
///
/// Opening it costs as much as the file is long, so that all spans that a task copies from it share one.
package final class CopiedStream {
    private let cursor: PacketCursor
    /// The position in decode order of the packet of each shown frame.
    private let positions: [Int]
    /// The shown frame of each packet, in decode order; -1 for a packet without one.
    private let frames: [Int64]
    /// How the packets hold NAL units; nil for start codes, and of codecs without them.
    let prefix: LengthPrefix?

    /// - Throws: ``MediaError`` when the source cannot be opened or does not fit its index.
    package init(_ source: any ByteSource, index: FrameIndex) throws(MediaError) {
        positions = index.shownPositions()
        guard positions.count == index.shown.count else { throw Self.unfitting }
        var frames = [Int64](repeating: -1, count: index.packets.count)
        for (frame, position) in positions.enumerated() { frames[position] = Int64(frame) }
        self.frames = frames
        cursor = try PacketCursor(source, index: index)
        prefix = try cursor.copiedPrefix()
    }

    /// Makes the packet of a shown frame the next one.
    func move(to frame: Int64) throws(MediaError) {
        guard positions.indices.contains(Int(frame)) else { throw Self.unfitting }
        try cursor.move(to: positions[Int(frame)])
    }

    /// The next packet in decode order, and the shown frame that it holds, if any; nil at the end of the stream.
    func next() throws(MediaError) -> (number: Int, frame: Int64?, bytes: [UInt8])? {
        guard let (number, packet) = try cursor.next() else { return nil }
        return (number, frames[number] < 0 ? nil : frames[number], Array(packet.bytes))
    }

    private static let unfitting = MediaError.invalidIndex(
        "A span to copy is not in the frame index; probe the asset again."
    )
}
