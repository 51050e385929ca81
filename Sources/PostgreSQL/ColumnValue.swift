package import Foundation

/// A type that a column's text can be read as.
package protocol ColumnValue {
    /// - Returns: nil when `text` is no such value.
    init?(columnText text: String)
}

extension String: ColumnValue {
    package init?(columnText text: String) { self = text }
}

extension Int: ColumnValue {
    package init?(columnText text: String) { self.init(text) }
}

extension Int64: ColumnValue {
    package init?(columnText text: String) { self.init(text) }
}

extension Double: ColumnValue {
    package init?(columnText text: String) { self.init(text) }
}

extension Bool: ColumnValue {
    package init?(columnText text: String) {
        switch text {
        case "t": self = true
        case "f": self = false
        default: return nil
        }
    }
}

extension UUID: ColumnValue {
    package init?(columnText text: String) { self.init(uuidString: text) }
}

/// An array of numbers, identifiers or plain words, such as `{1,2}`; none that needs quotes.
extension Array: ColumnValue where Element: ColumnValue {
    package init?(columnText text: String) {
        guard let parts = ArrayText.elements(of: text) else { return nil }
        self = parts.compactMap { Element(columnText: $0) }
        guard count == parts.count else { return nil }
    }
}

/// A `bytea` in its hex form.
extension Data: ColumnValue {
    package init?(columnText text: String) {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0, digits.starts(with: Array("\\x".utf8)) else { return nil }
        var bytes = Data(capacity: digits.count / 2 - 1)
        for index in stride(from: 2, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self = bytes
    }
}

private func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 48...57: digit - 48
    case 97...102: digit - 87
    default: nil
    }
}
