import Foundation

extension Sequence where Element == UInt8 {
    /// The bytes as hexadecimal text: two lower-case digits per byte.
    var hex: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension Data {
    /// Reads hexadecimal text of either case.
    /// - Returns: nil for anything but digits, and for an odd number of them.
    init?(hexDigits text: some StringProtocol) {
        let digits = Array(text)
        guard digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        guard bytes.count * 2 == digits.count else { return nil }
        self.init(bytes)
    }
}
