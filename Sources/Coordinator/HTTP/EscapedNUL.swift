/// The character U+0000 in a text of JSON, where it can stand only as an escape. PostgreSQL has no place for it: a text
/// would end there, and two that differ only behind it would be one.
enum EscapedNUL {
    /// Whether a text of `json` holds it.
    static func occurs(in json: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < json.count {
            guard json[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let digits = json[min(index + 2, json.count)...].prefix(4)
            if index + 1 < json.count, json[index + 1] == UInt8(ascii: "u"), digits.elementsEqual("0000".utf8) {
                return true
            }
            // What a backslash escapes begins no escape.
            index += 2
        }
        return false
    }
}
