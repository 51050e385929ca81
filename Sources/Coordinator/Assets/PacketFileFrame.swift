import Foundation
import NIOCore

/// The frame of a packet file (docs/packet-file.md): its head, its summary and its end, which say whether it can be a
/// part at all. Packets are not read: their checksum is the stitch's concern.
struct PacketFileFrame: Sendable {
    /// The number of packets that the summary counts.
    let packetCount: Int64
    /// The number of frames or samples that the summary counts.
    let unitCount: Int64

    private static let prefixByteCount: Int64 = 16
    private static let footerByteCount: Int64 = 48
    private static let headerLimit: Int64 = 1 << 20
    /// The mark and six numbers.
    private static let summaryByteCount: Int64 = 49
    private static let digestByteCount: Int64 = 40

    /// Reads the frame; nil when `file` has none.
    /// - Throws: ``StorageError`` when the file cannot be read.
    init?(_ file: ArtifactReader) async throws {
        let end = file.byteCount - Self.footerByteCount
        guard end >= Self.prefixByteCount + Self.summaryByteCount else { return nil }
        let prefix = try await file.frameBytes(at: 0, count: Int(Self.prefixByteCount))
        let footer = try await file.frameBytes(at: end, count: Int(Self.footerByteCount))
        guard prefix.starts(with: "CUTPACK\n".utf8), prefix.number(at: 8, bytes: 4) == 1,
            footer.suffix(8).elementsEqual("CUTPEND\n".utf8)
        else { return nil }
        let (headerCount, position) = (prefix.number(at: 12, bytes: 4), footer.number(at: 0, bytes: 8))
        guard headerCount <= Self.headerLimit, position >= Self.prefixByteCount + headerCount,
            position <= end - Self.summaryByteCount
        else { return nil }
        let header = try await file.frameBytes(at: Self.prefixByteCount, count: Int(headerCount))
        let summary = try await file.frameBytes(at: position, count: Int(Self.summaryByteCount))
        let digestCount = summary.number(at: 41, bytes: 8)
        guard summary.first == UInt8(ascii: "S"), 0...(1 << 40) ~= digestCount,
            end - position == Self.summaryByteCount + digestCount * Self.digestByteCount,
            (try? JSONSerialization.jsonObject(with: Data(header))) is [String: Any]
        else { return nil }
        packetCount = summary.number(at: 1, bytes: 8)
        unitCount = summary.number(at: 9, bytes: 8)
    }
}

extension ArtifactReader {
    /// The bytes from `offset` on; fewer than asked for only at the end.
    fileprivate func frameBytes(at offset: Int64, count: Int) async throws -> [UInt8] {
        [UInt8](buffer: try await bytes(at: offset, count: count))
    }
}

extension [UInt8] {
    /// A little-endian number; −1 where there are too few bytes.
    fileprivate func number(at offset: Int, bytes count: Int) -> Int64 {
        guard offset + count <= self.count else { return -1 }
        return Int64(bitPattern: self[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}
