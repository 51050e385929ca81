/// A JSON value that can be written in exactly one form.
enum CanonicalValue {
    case null
    case bool(Bool)
    case integer(String)
    case string(String)
    case array([CanonicalSlot])
    case object([String: CanonicalSlot])

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let digits): bytes += digits.utf8
        case .string(let text): CanonicalValue.write(text, to: &bytes)
        case .array(let items): CanonicalValue.write(items, to: &bytes)
        case .object(let members): CanonicalValue.write(members, to: &bytes)
        }
    }

    private static func write(_ items: [CanonicalSlot], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            item.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes members in the order of their names' UTF-16 code units (RFC 8785, 3.2.3).
    private static func write(_ members: [String: CanonicalSlot], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        let ordered = members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
        for (index, member) in ordered.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes a string and escapes only what must be escaped (RFC 8785, 3.2.2.2).
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
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
        bytes.append(UInt8(ascii: "\""))
    }
}

/// The place of a value that is being encoded: containers fill it after it was handed out.
final class CanonicalSlot {
    var value: CanonicalValue = .null

    init(_ value: CanonicalValue = .null) { self.value = value }

    /// The slot of member `key`; this value becomes an object if it is not one yet.
    func member(_ key: String) -> CanonicalSlot {
        var members: [String: CanonicalSlot] = [:]
        if case .object(let present) = value { members = present }
        value = .null
        let slot = members[key] ?? CanonicalSlot()
        members[key] = slot
        value = .object(members)
        return slot
    }

    /// A new slot at the end; this value becomes an array if it is not one yet.
    func append() -> CanonicalSlot {
        var items: [CanonicalSlot] = []
        if case .array(let present) = value { items = present }
        value = .null
        let slot = CanonicalSlot()
        items.append(slot)
        value = .array(items)
        return slot
    }

    var count: Int {
        guard case .array(let items) = value else { return 0 }
        return items.count
    }
}
