package import Foundation

/// A value that can stand for `$1`: sent as text, or as the bytes of a `bytea`, its type decided by the statement.
package protocol Parameter: Sendable {
    /// The text of the value; nil stands for NULL.
    var parameterText: String? { get }
    /// The value as it is sent in binary form, in place of ``parameterText``; nil for one that is sent as text.
    var parameterBytes: Data? { get }
}

extension Parameter {
    package var parameterBytes: Data? { nil }
}

extension String: Parameter {
    package var parameterText: String? { self }
}

extension Int: Parameter {
    package var parameterText: String? { String(self) }
}

extension Int64: Parameter {
    package var parameterText: String? { String(self) }
}

extension Double: Parameter {
    package var parameterText: String? { String(self) }
}

extension Bool: Parameter {
    package var parameterText: String? { self ? "t" : "f" }
}

extension UUID: Parameter {
    package var parameterText: String? { uuidString }
}

/// A `bytea`, in its hex form where it is a text: in rows of COPY and in arrays.
extension Data: Parameter {
    package var parameterBytes: Data? { self }
    package var parameterText: String? {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = Array("\\x".utf8)
        text.reserveCapacity(2 + 2 * count)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Optional: Parameter where Wrapped: Parameter {
    // Closures, because a key path of a generic type is looked up anew for every value.
    package var parameterText: String? { flatMap { $0.parameterText } }
    package var parameterBytes: Data? { flatMap { $0.parameterBytes } }
}

/// An array literal (PostgreSQL manual §8.15.2): every element quoted, NULL bare.
extension Array: Parameter where Element: Parameter {
    package var parameterText: String? {
        "{" + map { $0.parameterText.map(quoted) ?? "NULL" }.joined(separator: ",") + "}"
    }
}

private func quoted(_ element: String) -> String {
    guard element.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
        return "\"\(element)\""
    }
    var text = "\""
    for character in element.unicodeScalars {
        if character == "\"" || character == "\\" { text.unicodeScalars.append("\\") }
        text.unicodeScalars.append(character)
    }
    return text + "\""
}
