import CompositionModel

/// Reads JSON (RFC 8259) with `//` and `/* */` comments and trailing commas, and nothing else of JSON5.
///
/// It reads on after a mistake where the rest still makes sense, so that one reading finds them all. A value that could
/// not be read is ``JSONNode/Value/invalid``: its finding is made, whoever meets it says no more.
struct JSONReader {
    /// Reading cannot go on: its finding is made, or the task is cancelled.
    struct Stop: Error {}

    let bytes: [UInt8]
    let limits: JSONLimits
    /// Whether reading stops, without a finding, when the task is cancelled.
    let isCancellable: Bool
    var offset = 0
    var line = 1
    var column = 1
    var valueCount = 0
    var findings: [Finding] = []
    let names = SourcePath.Names()

    /// - Parameter isCancellable: whether reading stops when the task is cancelled; the findings are not all then.
    /// - Returns: the document, nil when reading had to stop; and what was wrong, in the order of the text.
    static func read(
        _ text: String,
        limits: JSONLimits = JSONLimits(),
        isCancellable: Bool = false
    ) -> (root: JSONNode?, findings: [Finding]) {
        var reader = JSONReader(bytes: Array(text.utf8), limits: limits, isCancellable: isCancellable)
        let root = try? reader.document()
        return (root, reader.findings)
    }

    private mutating func document() throws(Stop) -> JSONNode {
        guard bytes.count <= limits.byteCount else {
            throw stop(
                .limit,
                here(.whole),
                "the document has \(bytes.count) bytes, at most \(limits.byteCount) are read"
            )
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        try skipTrivia()
        guard peek != nil else { throw stop(.json, here(.whole), "the document is empty") }
        let root = try value(at: .whole, depth: 0)
        try skipTrivia()
        if peek != nil { throw stop(.json, here(.whole), "there is text after the end of the document") }
        return root
    }
}

// Where reading stands.
extension JSONReader {
    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func here(_ path: SourcePath) -> SourceMark { SourceMark(path, line: line, column: column) }

    /// Steps over one byte. Columns count Unicode scalars, so bytes that continue one do not count.
    mutating func advance() {
        let byte = bytes[offset]
        offset += 1
        let isLineEnd = byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && peek != UInt8(ascii: "\n"))
        if isLineEnd {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }

    mutating func advance(while condition: (UInt8) -> Bool) -> Substring {
        let start = offset
        while let byte = peek, condition(byte) { advance() }
        return String(decoding: bytes[start..<offset], as: UTF8.self)[...]
    }

    /// Makes a finding and reads on, unless there were too many.
    mutating func report(
        _ rule: FindingRule,
        _ mark: SourceMark,
        _ message: String,
        suggestion: String? = nil
    ) throws(Stop) {
        findings.append(mark.finding(rule: rule, message, suggestion: suggestion))
        guard findings.count < limits.findingCount else {
            throw stop(.limit, mark, "reading ends here, after \(limits.findingCount) mistakes; mend these first")
        }
    }

    /// Makes a finding after which nothing can be read.
    mutating func stop(_ rule: FindingRule, _ mark: SourceMark, _ message: String) -> Stop {
        findings.append(mark.finding(rule: rule, message))
        return Stop()
    }
}
