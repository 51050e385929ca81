import CLibAV
package import CompositionModel
package import Foundation

/// Hands over consecutive packets of one AAC stream as they are, without the headers that they have in a stream without
/// tables.
package final class SoundPacketCopier {
    private let packets: SoundPackets
    private let hasHeader: Bool
    /// The number of the packet that comes next.
    private var number: Int64

    /// - Parameters:
    ///   - stream: the facts of the stream, with those of copying.
    ///   - first: the number of the packet that comes first (``SoundCopyStretch/packets``).
    /// - Throws: ``MediaError`` when the source cannot be opened or is not what was probed.
    package init(source: any ByteSource, stream: AudioStreamFacts, first: Int64) throws(MediaError) {
        guard let stretch = stream.copy?.stretches.first(where: { $0.packets.contains(first) }) else {
            throw .invalidIndex("A packet to copy is not among those that can be; probe the asset again.")
        }
        packets = try SoundPackets(source, streamIndex: stream.streamIndex, preRoll: stream.cells?.preRoll ?? 0)
        hasHeader = packets.stream.map { $0.pointee.codecpar.pointee.extradata_size == 0 } ?? false
        number = 0
        if let (cells, cell, entry) = SoundPacketCopier.entry(stream.cells, stretch, before: first) {
            try packets.move(to: .init(cells, cell: cell), isNear: false)
            number = entry
        }
        while number < first { _ = try take() }
    }

    /// The cell at which reading up to packet `first` begins, and the number of its first packet in the file; nil for the
    /// stream's start.
    private static func entry(
        _ cells: SoundCells?,
        _ stretch: SoundCopyStretch,
        before first: Int64
    ) -> (SoundCells, cell: Int, entry: Int64)? {
        guard let cells else { return nil }
        var cell = cells.cell(of: max(stretch.sample(ofPacket: first), 0))
        while cell > 0 {
            let distance = cells.start(ofCell: cell) - stretch.start
            let number = stretch.packets.lowerBound + distance / SoundCopyFacts.frameSize
            guard distance >= 0 else { return nil }
            if distance % SoundCopyFacts.frameSize == 0, number - Int64(cells.preRoll) <= first {
                return (cells, cell, number - Int64(cells.preRoll))
            }
            cell -= 1
        }
        return nil
    }

    /// The next packet.
    /// - Throws: ``MediaError/invalidIndex(_:)`` at the end of the stream, and for a packet that is not what the probe
    ///   found.
    package func next() throws(MediaError) -> Data {
        let packet = try take()
        guard let payload = AACPayload(packet.bytes, hasHeader: hasHeader) else {
            throw .invalidIndex("Packet \(number - 1) of a sound to copy cannot be read; probe the asset again.")
        }
        return Data(payload.bytes)
    }

    private func take() throws(MediaError) -> Packet {
        guard let packet = try packets.next() else {
            throw .invalidIndex("A sound to copy ends before its packet \(number); probe the asset again.")
        }
        number += 1
        return packet
    }
}
