import Foundation
import Media

/// Decodes single frames of one part.
///
/// ```
/// I b p b p  I b p b p  I b p b p        packets in decode order
///            └─ group ─┘
///               ▲ wanted: decoded from the I before it
/// ```
/// Of each wanted frame only its group is decoded, and the one before for a picture that follows a key picture in decode
/// order and is shown before it. Two groups of packets are in memory at a time.
struct PreviewFrames {
    private let part: PreviewPart
    private var wanted: Set<Int64>
    private var previous: [EncodedPacket] = []
    private var group: [EncodedPacket] = []

    /// Hands over the wanted frames.
    /// - Parameters:
    ///   - wanted: frames, counted from the part's first one.
    ///   - path: the packet file of the part.
    /// - Throws: ``RenderError`` of ``PacketFileReader``, `out_of_range` for a frame that the part does not hold;
    ///   ``MediaError`` when it cannot be decoded; what `take` throws.
    static func decode(
        _ wanted: Set<Int64>,
        of path: String,
        _ take: (_ frame: Int64, _ picture: Picture) throws -> Void
    ) throws {
        var frames = PreviewFrames(part: try PreviewPart(path: path), wanted: wanted)
        try frames.run(take)
    }

    private init(part: PreviewPart, wanted: Set<Int64>) { (self.part, self.wanted) = (part, wanted) }

    private mutating func run(_ take: (Int64, Picture) throws -> Void) throws {
        while !wanted.isEmpty, let packet = try part.next() {
            if packet.isKey {
                try endGroup(take)
                (previous, group) = (group, [])
            }
            group.append(packet)
        }
        try endGroup(take)
        guard let lost = wanted.min() else { return }
        throw RenderError("out_of_range", "Frame \(lost) of the part is not there, or cannot be decoded.")
    }

    private mutating func endGroup(_ take: (Int64, Picture) throws -> Void) throws {
        let here = group.filter { wanted.contains($0.pts) }
        guard let key = group.first, let first = here.map(\.pts).min() else { return }
        let packets = first < key.pts ? previous + group : group
        let decoder = try decoder()
        var left = here.count
        for packet in packets.map(Optional.some) + [nil] where left > 0 {
            for picture in try decoder.decode(packet) where wanted.remove(picture.pts) != nil {
                left -= 1
                try take(picture.pts, picture)
            }
        }
    }

    private func decoder() throws(MediaError) -> VideoDecoder {
        try VideoDecoder(
            codec: part.video.codec,
            extradata: part.track.extradata,
            size: part.video.size,
            color: part.video.color,
            threads: 1,
            tag: part.track.tag,
            isStrict: false
        )
    }
}
