import Foundation
import Timing

/// The bytes of canonical JSON that is being written.
final class CanonicalSink {
    /// Written by one thread, and never while it is read: the check of that took a sixth of the time of encoding.
    @exclusivity(unchecked)
    var bytes: [UInt8] = []
    /// The members and items of the values that are being encoded, those of the innermost value last.
    @exclusivity(unchecked)
    var parts: [CanonicalEncoder.Part] = []
    let form: Form

    /// How values are written that JSONEncoder writes otherwise than canonical JSON.
    enum Form {
        /// Fractions are refused, bytes are a list of numbers, and names come in the order of UTF-16.
        case canonical
        /// Fractions are written, bytes in base 64, names in the order of UTF-8, and dates as the text that is made of
        /// them.
        case foundation(dates: ((Date) -> String)?)
    }

    init(_ form: Form) { self.form = form }

    private var isFoundation: Bool { if case .foundation = form { true } else { false } }

    /// An encoder to bytes of its own.
    func aside(of parent: CanonicalEncoder, _ key: (any CodingKey)?) -> CanonicalEncoder {
        CanonicalEncoder(CanonicalSink(form), parent: parent, key: key)
    }

    func write(_ flag: Bool) { bytes += (flag ? "true" : "false").utf8 }

    func write(_ number: some BinaryInteger) {
        guard let number = Int64(exactly: number) else {
            bytes += number.description.utf8
            return
        }
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let begin = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[begin...].reverse()
    }

    /// Writes a time as it encodes itself.
    func write(_ time: RationalTime) {
        bytes.append(UInt8(ascii: "\""))
        write(time.numerator)
        bytes.append(UInt8(ascii: "/"))
        write(time.denominator)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a fraction as JSONEncoder does: with the fewest digits that give it back.
    /// - Throws: `EncodingError.invalidValue` where fractions may not be written, and for one that is not finite.
    func write(_ number: Double, at path: [any CodingKey]) throws {
        guard isFoundation, number.isFinite else {
            let reason =
                isFoundation ? "JSON has no such number" : "a floating-point number has no canonical form here"
            throw EncodingError.invalidValue(number, .init(codingPath: path, debugDescription: reason))
        }
        write(digits: number.description)
    }

    /// The same for a number of 32 bits.
    func write(_ number: Float, at path: [any CodingKey]) throws {
        guard isFoundation, number.isFinite else { return try write(Double(number), at: path) }
        write(digits: number.description)
    }

    private func write(digits: String) { bytes += digits.utf8.dropLast(digits.hasSuffix(".0") ? 2 : 0) }

    /// Whether values of a type are written as JSONEncoder does, which does not ask them how they encode themselves: bytes
    /// and dates. Types are compared, because asking the runtime what a value is takes longer than writing most values.
    func isSpecial(_ type: Any.Type) -> Bool {
        guard case .foundation(let dates) = form else { return false }
        return type == Data.self || dates != nil && type == Date.self
    }

    /// Writes bytes or a date as JSONEncoder does.
    /// - Returns: false, and writes nothing, for a value of another type, or one that is not ``isSpecial(_:)`` here.
    func write<Value: Encodable>(special value: Value) -> Bool {
        guard isSpecial(Value.self), case .foundation(let dates) = form else { return false }
        if let data = value as? Data {
            write(data.base64EncodedString())
        } else if let date = value as? Date, let dates {
            write(dates(date))
        }
        return true
    }

    /// Writes a string and escapes only what must be escaped (RFC 8785, 3.2.2.2).
    func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let isWritten = text.utf8.withContiguousStorageIfAvailable { text in
            guard text.allSatisfy(Self.standsForItself) else { return false }
            bytes.append(contentsOf: text)
            return true
        }
        if isWritten != true { for byte in text.utf8 { writeEscaped(byte) } }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func standsForItself(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private func writeEscaped(_ byte: UInt8) {
        switch byte {
        case 0x08: bytes += "\\b".utf8
        case 0x09: bytes += "\\t".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0C: bytes += "\\f".utf8
        case 0x0D: bytes += "\\r".utf8
        case 0x22: bytes += "\\\"".utf8
        case 0x5C: bytes += "\\\\".utf8
        case 0..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
        case 0x10..<0x20: bytes += "\\u00\(String(byte, radix: 16))".utf8
        default: bytes.append(byte)
        }
    }

    /// Whether a member of the name `left` comes before one of the name `right`: by the code units of UTF-16, or by the
    /// bytes of UTF-8. Both give the same order, except between surrogates and what lies above them, of which both begin
    /// with 0xEE or more.
    func precedes(_ left: String, _ right: String) -> Bool {
        let isBefore = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right -> Bool? in
                guard let place = left.indices.first(where: { $0 >= right.count || left[$0] != right[$0] }) else {
                    return left.count < right.count
                }
                guard place < right.count else { return false }
                return isFoundation || max(left[place], right[place]) < 0xEE ? left[place] < right[place] : nil
            }
        }
        return isBefore.flatMap { $0 }.flatMap { $0 }
            ?? (isFoundation
                ? left.utf8.lexicographicallyPrecedes(right.utf8) : left.utf16.lexicographicallyPrecedes(right.utf16))
    }
}
