import CompositionModel
import Foundation

/// Reads a packet file from front to back in constant memory. A file that was cut off is refused when it is opened;
/// any other change of a byte at the latest when its last packet was read.
package final class PacketFileReader {
    /// What the packets are.
    package let header: PacketFileHeader
    /// What the file says of its packets at its end.
    package let summary: PacketFileSummary
    private let path: String
    private let input: BufferedFile
    private let summaryPosition: Int64
    private let recordedDigest: ContentDigest
    private var readCount: Int64 = 0
    private var isFinished = false

    /// - Throws: ``RenderError`` `file_failed`, `packet_file_truncated`, `packet_file_version` or
    ///   `packet_file_damaged`.
    package init(path: String) throws(RenderError) {
        self.path = path
        input = try BufferedFile(path: path)
        let footer = try PacketFileReader.readFooter(input)
        (summaryPosition, recordedDigest) = footer
        summary = try PacketFileReader.readSummary(input, at: summaryPosition)
        header = try PacketFileReader.readHeader(input, before: summaryPosition)
    }

    /// The next packet in decode order; nil after the last one, when the checksum and all counts agreed. What was
    /// returned before may be trusted only then.
    /// - Throws: ``RenderError`` `packet_file_damaged` or `file_failed`.
    package func next() throws(RenderError) -> CodedPacket? {
        guard !isFinished else { return nil }
        guard input.position < summaryPosition else {
            try verifyEnd()
            return nil
        }
        let packet = try readPacket()
        readCount += 1
        return packet
    }

    private func readPacket() throws(RenderError) -> CodedPacket {
        var prefix = ByteReader(try input.read(PacketFileLayout.packetPrefixByteCount))
        guard try prefix.integer(UInt8.self) == PacketFileLayout.packetMark else {
            throw .damagedPacketFile("a packet of “\(path)” has no mark")
        }
        let flags = try prefix.integer(UInt8.self)
        let headerNumber = Int(try prefix.integer(UInt16.self))
        let count = Int(try prefix.integer(UInt32.self))
        let (decodeIndex, displayIndex): (Int64, Int64) = try (prefix.integer(), prefix.integer())
        let duration: Int64 = try prefix.integer()
        let limit = PacketFileLayout.unitLimit
        let isPlaced = -limit...limit ~= displayIndex && 0...limit ~= duration
        guard decodeIndex == readCount, count <= PacketFileLayout.packetLimit, isPlaced,
            input.position + Int64(count) <= summaryPosition, headerNumber <= header.copied?.count ?? 0
        else { throw .damagedPacketFile("packet \(readCount) of “\(path)” is out of order or too long") }
        return CodedPacket(
            decodeIndex: decodeIndex,
            displayIndex: displayIndex,
            duration: duration,
            isKey: flags & PacketFileLayout.keyFlag != 0,
            headerNumber: headerNumber,
            data: try input.read(count)
        )
    }

    private func verifyEnd() throws(RenderError) {
        _ = try input.read(Int(input.byteCount - summaryPosition) - PacketFileLayout.footerByteCount)
        guard input.digest == recordedDigest, readCount == summary.packetCount else {
            throw .damagedPacketFile("the checksum of “\(path)” does not agree")
        }
        isFinished = true
    }
}

extension PacketFileReader {
    private static func readFooter(_ input: BufferedFile) throws(RenderError) -> (Int64, ContentDigest) {
        let least = Int64(PacketFileLayout.prefixByteCount + PacketFileLayout.footerByteCount)
        let count = PacketFileLayout.footerByteCount
        guard input.byteCount > least else { throw .truncatedPacketFile(input.path) }
        var footer = ByteReader(try input.peek(count, at: input.byteCount - Int64(count)))
        let position: Int64 = try footer.integer()
        let digest = try footer.digest()
        guard try footer.take(PacketFileLayout.endMagic.count) == PacketFileLayout.endMagic else {
            throw .truncatedPacketFile(input.path)
        }
        guard position >= Int64(PacketFileLayout.prefixByteCount), position < input.byteCount - Int64(count) else {
            throw .damagedPacketFile("the end of “\(input.path)” is unreadable")
        }
        return (position, digest)
    }

    private static func readSummary(_ input: BufferedFile, at position: Int64) throws(RenderError) -> PacketFileSummary
    {
        let count = Int(input.byteCount - position) - PacketFileLayout.footerByteCount
        var bytes = ByteReader(try input.peek(count, at: position))
        guard try bytes.integer(UInt8.self) == PacketFileLayout.summaryMark else {
            throw .damagedPacketFile("the summary of “\(input.path)” has no mark")
        }
        let summary = try PacketFileSummary(from: &bytes)
        guard bytes.isAtEnd, 0...PacketFileLayout.unitLimit ~= summary.unitCount else {
            throw .damagedPacketFile("the summary of “\(input.path)” is too long")
        }
        return summary
    }

    private static func readHeader(_ input: BufferedFile, before end: Int64) throws(RenderError) -> PacketFileHeader {
        var prefix = ByteReader(try input.read(PacketFileLayout.prefixByteCount))
        guard try prefix.take(PacketFileLayout.magic.count) == PacketFileLayout.magic else {
            throw .damagedPacketFile("“\(input.path)” is no packet file")
        }
        let version = try prefix.integer(UInt16.self)
        guard version == PacketFileLayout.version else {
            throw RenderError(
                "packet_file_version",
                "“\(input.path)” has packet file version \(version); render it again."
            )
        }
        _ = try prefix.integer(UInt16.self)
        let count = Int(try prefix.integer(UInt32.self))
        guard count <= PacketFileLayout.headerLimit, input.position + Int64(count) <= end,
            let header = try? JSONDecoder().decode(PacketFileHeader.self, from: input.read(count))
        else { throw .damagedPacketFile("the header of “\(input.path)” is unreadable") }
        return header
    }
}

extension RenderError {
    static func truncatedPacketFile(_ path: String) -> RenderError {
        RenderError("packet_file_truncated", "The packet file “\(path)” is cut off; render this part again.")
    }
}
