import Foundation

/// Appends little-endian integers and bytes.
struct ByteWriter {
    private(set) var data = Data()

    /// Appends an integer, the low byte first.
    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }

    mutating func append(_ bytes: Data) { data.append(bytes) }

    /// - Precondition: an even number of hex digits, as a ``ContentDigest`` holds.
    mutating func append(hex: String) {
        let digits = hex.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
        for index in stride(from: 0, to: digits.count, by: 2) { data.append(digits[index] << 4 | digits[index + 1]) }
    }

    mutating func removeAll() { data.removeAll(keepingCapacity: true) }
}
