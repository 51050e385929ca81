import CompositionModel

/// The packets of a piece of sound of which some are copied from sources (docs/copying.md).
///
/// ```
/// packets    │ encoded │ bridged │ copied              │ bridged │ encoded │
/// ```
/// Each packet decodes, together with the one before it, to 1024 samples. Packet n of a piece begins `priming` samples
/// before sample 1024 · n of the piece.
package struct SoundPacketPlan: Sendable, Hashable, Codable {
    /// The samples before the output's first one that its packets decode to: 1024 to 2047. They lie so that copied
    /// packets fall on the output's grid.
    package var priming: Int
    /// The number of the piece's packets.
    package var count: Int64
    /// The number of the first run's first packet: 0, or −1 where the packet before the piece counts for its joins.
    package var start: Int64
    /// The packets in order, up to the piece's last, or to the one behind where that counts for its joins.
    package var runs: [SoundPacketRun]

    package init(priming: Int, count: Int64, start: Int64, runs: [SoundPacketRun]) {
        (self.priming, self.count, self.start, self.runs) = (priming, count, start, runs)
    }

    /// The runs, each with its packets.
    package var ranges: [(packets: Range<Int64>, run: SoundPacketRun)] {
        var place = start
        return runs.map { run in
            defer { place += run.count }
            return (place..<place + run.count, run)
        }
    }
}

/// Consecutive packets that are made in one way.
package struct SoundPacketRun: Sendable, Hashable, Codable {
    /// The number of packets, at least 1.
    package var count: Int64
    /// Where the packets are copied from; nil where they are made.
    package var copy: CopiedSound?
    /// Whether the packets are written one by one, with windows that fit to those beside them, and not by the encoder;
    /// nil is false.
    package var isBridge: Bool?

    package init(count: Int64, copy: CopiedSound? = nil, isBridge: Bool = false) {
        (self.count, self.copy, self.isBridge) = (count, copy, isBridge ? true : nil)
    }

    /// Whether the encoder makes the packets.
    package var isEncoded: Bool { copy == nil && isBridge == nil }
}

/// The packet of a source with which a copied run begins.
package struct CopiedSound: Sendable, Hashable, Codable {
    /// The position in ``SoundTask/assets``.
    package var asset: Int
    /// libavformat's index of the stream.
    package var stream: Int
    /// The number of the packet in the stream (``SoundCopyStretch/packets``).
    package var packet: Int64

    package init(asset: Int, stream: Int, packet: Int64) {
        (self.asset, self.stream, self.packet) = (asset, stream, packet)
    }
}
