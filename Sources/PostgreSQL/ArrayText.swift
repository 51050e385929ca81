/// The text of an array of one dimension, such as `{1,2}` or `{"two words","a \\"quote\\""}` (PostgreSQL manual §8.15.6).
enum ArrayText {
    /// The elements as texts; nil for what is no such array, and for one that holds NULL.
    static func elements(of text: String) -> [String]? {
        guard text.hasPrefix("{"), text.hasSuffix("}"), text.utf8.count >= 2 else { return nil }
        let inside = text.utf8.dropFirst().dropLast()
        guard !inside.isEmpty else { return [] }
        var elements: [String] = []
        var element: [UInt8] = []
        var (isQuoted, wasQuoted, isEscaped) = (false, false, false)
        for byte in inside {
            switch byte {
            case _ where isEscaped:
                element.append(byte)
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                wasQuoted = true
            case UInt8(ascii: ",") where !isQuoted:
                guard let value = value(element, wasQuoted) else { return nil }
                elements.append(value)
                (element, wasQuoted) = ([], false)
            case UInt8(ascii: "{") where !isQuoted: return nil
            default: element.append(byte)
            }
        }
        guard !isQuoted, !isEscaped, let last = value(element, wasQuoted) else { return nil }
        return elements + [last]
    }

    private static func value(_ bytes: [UInt8], _ wasQuoted: Bool) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        if wasQuoted { return text }
        return text.isEmpty || text == "NULL" ? nil : text
    }
}
