import CompositionModel

// What stands without brackets and quotes: numbers, true, false, null, and what people write by mistake.
extension JSONReader {
    /// Reads a number, `true`, `false` or `null`; anything else is a finding and invalid.
    mutating func word(_ mark: SourceMark) throws(Stop) -> JSONNode.Value {
        switch peek {
        case nil: throw stop(.json, mark, "the document ends where a value is expected")
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
            try report(.json, mark, "a value is missing here")
            if peek == UInt8(ascii: ":") { advance() }
            return .invalid
        case UInt8(ascii: "'"): return try singleQuoted(mark)
        default: break
        }
        let text = token()
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: return JSONReader.isNumber(text) ? .number(text) : try invalid(text, mark)
        }
    }

    /// Reads a key in quotes; without quotes it is a finding, but still the key.
    mutating func key(_ mark: SourceMark, depth: Int) throws(Stop) -> String? {
        switch peek {
        case UInt8(ascii: "\""): return try string(mark)
        case UInt8(ascii: "'"):
            guard case .string(let key) = try quotedText(mark) else { return nil }
            try report(.json, mark, "keys stand in double quotes", suggestion: JSONText.quoted(key))
            return key
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"):
            try report(.json, mark, "a key in double quotes is expected here")
            if peek == UInt8(ascii: ":") { advance() }
            _ = try value(at: mark.path, depth: depth + 1)
            return nil
        default:
            let text = token()
            try report(.json, mark, "keys stand in double quotes", suggestion: JSONText.quoted(text))
            return text
        }
    }

    private mutating func invalid(_ text: String, _ mark: SourceMark) throws(Stop) -> JSONNode.Value {
        let word = text.prefix(40)
        let isNumberLike = text.utf8.first.map { $0 == 43 || $0 == 45 || $0 == 46 || (48...57).contains($0) } ?? false
        let message =
            isNumberLike
            ? "“\(word)” is no number of JSON" : "“\(word)” is no value of JSON; text stands in double quotes"
        let suggestion = isNumberLike ? JSONReader.number(in: text) : JSONReader.suggestion(for: text)
        try report(.json, mark, message, suggestion: suggestion)
        return .invalid
    }

    /// `+3` as 3, `.5` as 0.5, `-3dB` as `"-3dB"`; nil for all else.
    private static func number(in text: String) -> String? {
        var number = text.hasPrefix("+") ? String(text.dropFirst()) : text
        if number.hasPrefix(".") { number = "0" + number }
        if isNumber(number) { return number }
        let withUnit = /-?[0-9]+(\.[0-9]+)?(dB|dBTP|LUFS|Hz|kHz|ms|s|f|px|%)/
        return number.wholeMatch(of: withUnit) == nil ? nil : JSONText.quoted(number)
    }

    private static func suggestion(for text: String) -> String {
        let lower = text.lowercased()
        return ["true", "false", "null"].contains(lower) ? lower : JSONText.quoted(String(text.prefix(40)))
    }

    private mutating func singleQuoted(_ mark: SourceMark) throws(Stop) -> JSONNode.Value {
        guard case .string(let text) = try quotedText(mark) else { return .invalid }
        try report(.json, mark, "text stands in double quotes", suggestion: JSONText.quoted(text))
        return .invalid
    }

    /// Text in single quotes, to the quote or the line's end.
    private mutating func quotedText(_ mark: SourceMark) throws(Stop) -> JSONNode.Value {
        advance()
        let text = advance { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard peek == UInt8(ascii: "'") else {
            try report(.json, mark, "the text that begins here is not closed on its line")
            return .invalid
        }
        advance()
        return .string(String(text))
    }

    /// Steps over at least one byte, up to the next that can end a word.
    private mutating func token() -> String {
        let start = offset
        advance()
        while let byte = peek, !JSONReader.endsWord.contains(byte), !follows("//"), !follows("/*") { advance() }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static let endsWord = Set(",:[]{}\"' \t\r\n".utf8)

    /// JSON's grammar: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?` (RFC 8259 §6).
    static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let wholeCount = dropDigits(&rest)
        guard wholeCount > 0, !startsWithZero || wholeCount == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard dropDigits(&rest) > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard dropDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func dropDigits(_ text: inout Substring.UTF8View) -> Int {
        let digits = text.prefix { (48...57).contains($0) }
        text = text[digits.endIndex...]
        return digits.count
    }
}
