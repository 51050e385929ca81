package import CompositionModel
import Foundation

/// What a packet file says of itself at its end: counts, by which a reader sees that nothing is missing, and the
/// digests by which a stitcher sees that the joins decode to what was encoded.
package struct PacketFileSummary: Sendable, Hashable {
    /// The digest of one decoded frame: SHA-256 over the visible bytes of its planes.
    package struct FrameDigest: Sendable, Hashable {
        /// The frame, as ``CodedPacket/displayIndex`` says it.
        package var displayIndex: Int64
        /// The digest of the decoded picture.
        package var digest: ContentDigest

        package init(displayIndex: Int64, digest: ContentDigest) {
            self.displayIndex = displayIndex
            self.digest = digest
        }
    }

    /// The number of packets.
    package internal(set) var packetCount: Int64 = 0
    /// Sum of all durations: frames, or samples with the priming.
    package internal(set) var unitCount: Int64 = 0
    /// Bytes of all packets' data.
    package internal(set) var byteCount: Int64 = 0
    /// The largest `decodeIndex − displayIndex`, at least 0: packets by which decoding must run ahead of display.
    package internal(set) var reorderDelay: Int64 = 0
    /// Decode index of the last keyframe; 0 when there is none.
    package internal(set) var lastKeyIndex: Int64 = 0
    /// The digests of some decoded frames, in the order in which they were handed in.
    package internal(set) var digests: [FrameDigest] = []

    package init() {}

    /// Counts a packet that was written or read.
    mutating func count(_ packet: CodedPacket) {
        packetCount += 1
        unitCount += packet.duration
        byteCount += Int64(packet.data.count)
        reorderDelay = max(reorderDelay, packet.decodeIndex - packet.displayIndex)
        if packet.isKey { lastKeyIndex = packet.decodeIndex }
    }

    func encode(into bytes: inout ByteWriter) {
        for value in [packetCount, unitCount, byteCount, reorderDelay, lastKeyIndex, Int64(digests.count)] {
            bytes.append(value)
        }
        for frame in digests {
            bytes.append(frame.displayIndex)
            bytes.append(hex: frame.digest.hex)
        }
    }

    /// Reads what ``encode(into:)`` wrote.
    /// - Throws: ``RenderError`` `packet_file_damaged` for what it cannot have written.
    init(from bytes: inout ByteReader) throws(RenderError) {
        packetCount = try bytes.integer()
        unitCount = try bytes.integer()
        byteCount = try bytes.integer()
        reorderDelay = try bytes.integer()
        lastKeyIndex = try bytes.integer()
        let digestCount: Int64 = try bytes.integer()
        guard digestCount >= 0, digestCount <= packetCount else {
            throw .damagedPacketFile("its digest count is wrong")
        }
        for _ in 0..<digestCount {
            digests.append(try FrameDigest(displayIndex: bytes.integer(), digest: bytes.digest()))
        }
    }
}
