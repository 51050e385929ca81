/// The answer to a `Range` header for a body of known length (RFC 9110 §14).
enum ByteRange: Sendable, Hashable {
    /// The whole body: no range, or one that is to be ignored (not understood, of another unit, more than one).
    case whole
    /// A part of the body, which is never empty.
    case part(Range<Int64>)
    /// Status 416: the range begins behind the body.
    case unsatisfiable

    /// Reads the header.
    /// - Parameters:
    ///   - header: the header as sent; nil when there was none.
    ///   - byteCount: the length of the whole body.
    init(header: String?, byteCount: Int64) {
        guard let header, let spec = ByteRange.single(header) else {
            self = .whole
            return
        }
        switch spec {
        case (let first?, let last?) where first > last: self = .whole
        case (let first?, _) where first >= byteCount: self = .unsatisfiable
        case (let first?, let last?): self = .part(first..<min(last, byteCount - 1) + 1)
        case (let first?, nil): self = .part(first..<byteCount)
        case (nil, 0?): self = .unsatisfiable
        case (nil, let count?): self = byteCount == 0 ? .unsatisfiable : .part(max(0, byteCount - count)..<byteCount)
        case (nil, nil): self = .whole
        }
    }

    /// The first and the last byte of the only range in the header. The last is nil for an open range such as `5-`, the
    /// first for a suffix such as `-5`.
    private static func single(_ header: String) -> (Int64?, Int64?)? {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, trimmed(parts[0]).lowercased() == "bytes", !parts[1].contains(",") else { return nil }
        let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
        guard ends.count == 2, ends.allSatisfy({ $0.isEmpty || number($0) != nil }) else { return nil }
        return (number(ends[0]), number(ends[1]))
    }

    /// Reads digits; a number that is too large is as good as the largest.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text) ?? Int64.max - 1
    }

    /// The text without spaces and tabs at its ends.
    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
