/// Numbers as bytes, big-endian.
struct ExactWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ magic: String) { bytes += Array(magic.utf8) }

    mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    /// All bits of it.
    mutating func write(_ number: Double) { write(number.bitPattern) }
}

/// Reads what ``ExactWriter`` wrote; nil where there are no bytes left.
struct ExactReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }
    var remaining: Int { bytes.count - place }

    mutating func skip(_ magic: String) -> Bool {
        guard bytes[place...].starts(with: magic.utf8) else { return false }
        place += magic.utf8.count
        return true
    }

    mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type = Number.self) -> Number? {
        let size = MemoryLayout<Number>.size
        guard remaining >= size else { return nil }
        defer { place += size }
        return bytes.withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
    }

    mutating func double() -> Double? { integer(UInt64.self).map { Double(bitPattern: $0) } }
}
