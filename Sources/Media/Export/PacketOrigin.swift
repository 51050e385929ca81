import CLibAV
import CompositionModel
import Timing

/// Where a packet comes from, for messages.
struct PacketOrigin {
    /// The name of the file.
    let file: String
    let stream: ExportStream
    /// The packet itself is damaged.
    let isDamaged: Bool
    private let pts: Int64?
    private let zero: RationalTime

    init(_ packet: Packet, _ stream: ExportStream, _ part: ExportPart, isDamaged: Bool) {
        (file, zero) = (part.source.name, part.zero)
        (self.stream, self.isDamaged) = (stream, isDamaged)
        pts = packet.pts ?? packet.dts
    }

    /// The packet's time in the source, in seconds; nil where it has none.
    var time: RationalTime? {
        guard let pts, let unit = try? RationalTime(ratio: stream.stream.pointee.time_base) else { return nil }
        return try? RationalTime(pts, of: unit).subtracting(zero)
    }
}
