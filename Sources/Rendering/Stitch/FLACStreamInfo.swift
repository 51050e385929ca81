import Foundation

/// The block that begins every FLAC stream (https://xiph.org/flac/format.html, METADATA_BLOCK_STREAMINFO).
enum FLACStreamInfo {
    /// `block` (34 bytes) with the number of samples, which an encoder does not know when it begins: the low 36 of the
    /// 64 bits from byte 10 on. Numbers that do not fit, and blocks of another size, are left alone: 0 is unknown.
    static func counted(_ block: Data, sampleCount: Int64) -> Data {
        guard block.count == 34, 0..<(Int64(1) << 36) ~= sampleCount else { return block }
        var bytes = [UInt8](block)
        bytes[13] = bytes[13] & 0xF0 | UInt8(sampleCount >> 32)
        for index in 0..<4 { bytes[14 + index] = UInt8(truncatingIfNeeded: sampleCount >> (24 - 8 * index)) }
        return Data(bytes)
    }
}
