import CompositionModel
import Foundation

/// Takes little-endian integers and digests from bytes that may be damaged: every shortage is an error.
struct ByteReader {
    private let data: Data
    private var position: Data.Index

    init(_ data: Data) {
        self.data = data
        position = data.startIndex
    }

    var isAtEnd: Bool { position == data.endIndex }

    /// Takes the next `count` bytes.
    /// - Throws: ``RenderError`` `packet_file_damaged` when there are fewer.
    mutating func take(_ count: Int) throws(RenderError) -> Data {
        guard count >= 0, count <= data.endIndex - position else { throw .damagedPacketFile("a field is cut off") }
        defer { position += count }
        return data[position..<position + count]
    }

    /// Takes the next integer, the low byte first.
    /// - Throws: ``RenderError`` `packet_file_damaged` when too few bytes are left.
    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(RenderError) -> Value {
        var value: Value = 0
        for (index, byte) in try take(MemoryLayout<Value>.size).enumerated() {
            value |= Value(truncatingIfNeeded: byte) << Value(truncatingIfNeeded: 8 * index)
        }
        return value
    }

    /// Takes the next digest, 32 bytes.
    /// - Throws: ``RenderError`` `packet_file_damaged` when too few bytes are left.
    mutating func digest() throws(RenderError) -> ContentDigest {
        let digits = Array("0123456789abcdef".utf8)
        let hex = try take(32).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        guard let digest = ContentDigest(hex: String(decoding: hex, as: UTF8.self)) else {
            throw .damagedPacketFile("a digest is unreadable")
        }
        return digest
    }
}
