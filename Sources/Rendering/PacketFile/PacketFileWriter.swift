import CompositionModel
import Foundation

/// Writes a packet file from front to back in constant memory. What is not finished is recognised as cut off by
/// ``PacketFileReader``; removing it is up to the caller.
package final class PacketFileWriter {
    private let path: String
    private let descriptor: Int32
    /// The headers of copied streams.
    private let headerCount: Int
    private var pending = ByteWriter()
    private var hasher = ContentHasher()
    /// What was written so far.
    package private(set) var summary = PacketFileSummary()

    /// Creates or empties the file at `path`.
    /// - Throws: ``RenderError`` `file_failed` or `no_space`.
    package init(path: String, header: PacketFileHeader) throws {
        let encoded = try header.encoded()
        self.path = path
        headerCount = header.copied?.count ?? 0
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw RenderError.file("create", path, errno: errno) }
        pending.append(PacketFileLayout.magic)
        pending.append(PacketFileLayout.version)
        pending.append(UInt16(0))
        pending.append(UInt32(encoded.count))
        pending.append(encoded)
    }

    deinit { close(descriptor) }

    /// Packets in decode order: `decodeIndex` counts up from 0 by 1.
    /// - Throws: ``RenderError`` `packet_order` when it does not, `file_failed`, `no_space`.
    package func write(_ packet: CodedPacket) throws(RenderError) {
        guard packet.decodeIndex == summary.packetCount, packet.data.count <= PacketFileLayout.packetLimit,
            0...headerCount ~= packet.headerNumber
        else {
            throw RenderError("packet_order", "Packet \(packet.decodeIndex) came at place \(summary.packetCount).")
        }
        summary.count(packet)
        pending.append(PacketFileLayout.packetMark)
        pending.append(packet.isKey ? PacketFileLayout.keyFlag : 0)
        pending.append(UInt16(packet.headerNumber))
        pending.append(UInt32(packet.data.count))
        for value in [packet.decodeIndex, packet.displayIndex, packet.duration] { pending.append(value) }
        pending.append(packet.data)
        if pending.data.count >= 1 << 18 { try flush() }
    }

    /// Writes counts, `digests` (of decoded frames, any set of them) and the checksum, and sees it to the disk.
    /// Nothing may be written afterwards.
    /// - Returns: what the file says of itself.
    /// - Throws: ``RenderError`` `no_space` or `file_failed`.
    @discardableResult
    package func finish(digests: [PacketFileSummary.FrameDigest] = []) throws(RenderError) -> PacketFileSummary {
        summary.digests = digests
        try flush()
        let position = hasher.byteCount
        pending.append(PacketFileLayout.summaryMark)
        summary.encode(into: &pending)
        try flush()
        let digest = hasher.finalize()
        pending.append(position)
        pending.append(hex: digest.hex)
        pending.append(PacketFileLayout.endMagic)
        try flush()
        guard fsync(descriptor) == 0 else { throw .file("write", path, errno: errno) }
        return summary
    }

    private func flush() throws(RenderError) {
        var failure: Int32 = 0
        pending.data.withUnsafeBytes { bytes in
            hasher.update(bufferPointer: bytes)
            var rest = bytes[...]
            while !rest.isEmpty, failure == 0 {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure = errno }
            }
        }
        pending.removeAll()
        guard failure == 0 else { throw .file("write", path, errno: failure) }
    }
}
