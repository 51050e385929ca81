import CompositionModel

extension JSONReader {
    /// Reads the string that begins here with its quote.
    mutating func string(_ mark: SourceMark) throws(Stop) -> String {
        advance()
        if let text = plainString() { return text }
        var text: [UInt8] = []
        while true {
            guard let byte = peek, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else {
                throw stop(.json, mark, "the text that begins here is not closed on its line")
            }
            switch byte {
            case UInt8(ascii: "\""):
                advance()
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += String(try escape(mark.path)).utf8
            default:
                if byte < 0x20 {
                    let escaped = JSONText.quoted(String(Unicode.Scalar(byte))).dropFirst().dropLast()
                    try report(.json, here(mark.path), "a control character is written as \(escaped) in a string")
                }
                text.append(byte)
                advance()
            }
        }
    }

    /// Reads what is left of a string without escapes and control characters, and its quote; nil for any other, of which
    /// nothing is read.
    private mutating func plainString() -> String? {
        let end = bytes[offset...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
        guard let end, bytes[end] == UInt8(ascii: "\"") else { return nil }
        let text = bytes[offset..<end]
        // Columns count Unicode scalars.
        column += text.count { $0 & 0xC0 != 0x80 } + 1
        offset = end + 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape(_ path: SourcePath) throws(Stop) -> Character {
        let mark = here(path)
        advance()
        guard let byte = peek, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { return "\\" }
        advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(mark)
        default:
            try report(.json, mark, "JSON has no escape of this kind; a backslash itself is written \\\\")
            return "\u{FFFD}"
        }
    }

    /// `\uXXXX`, or two of them that are a surrogate pair (RFC 8259 §7).
    private mutating func unicodeEscape(_ mark: SourceMark) throws(Stop) -> Character {
        let first = hexUnit()
        if first == 0 {
            try report(.json, mark, "no text of an edit may hold the character U+0000")
            return "\u{FFFD}"
        }
        if let first, let scalar = Unicode.Scalar(first) { return Character(scalar) }
        if let first, (0xD800..<0xDC00).contains(first), follows("\\u") {
            advance()
            advance()
            if let second = hexUnit(), (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return Character(scalar)
            }
        }
        try report(.json, mark, "\\u wants four hex digits, and surrogates come in pairs")
        return "\u{FFFD}"
    }

    /// Four hex digits, when they are there.
    private mutating func hexUnit() -> UInt32? {
        let digits = bytes[offset...].prefix(4)
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt32(text, radix: 16) else { return nil }
        for _ in 0..<4 { advance() }
        return unit
    }
}
