import Foundation

/// Boxes of a QuickTime movie: size, type, content; all numbers are big-endian.
enum QuickTimeBox {
    static func box(_ type: String, _ parts: Data...) -> Data { box(type, parts) }

    static func full(_ type: String, version: UInt32 = 0, flags: UInt32 = 0, _ parts: Data...) -> Data {
        box(type, [number32(version << 24 | flags)] + parts)
    }

    private static func box(_ type: String, _ parts: [Data]) -> Data {
        let content = parts.reduce(Data(type.utf8), +)
        return number32(UInt32(content.count + 4)) + content
    }

    static func number16(_ value: UInt16) -> Data { Data([UInt8(value >> 8), UInt8(value & 255)]) }
    static func number32(_ value: UInt32) -> Data { number16(UInt16(value >> 16)) + number16(UInt16(value & 0xFFFF)) }
    static func number64(_ value: UInt64) -> Data {
        number32(UInt32(value >> 32)) + number32(UInt32(value & 0xFFFF_FFFF))
    }
}
