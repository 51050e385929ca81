/// Rows for `COPY … FROM STDIN` in the text format (PostgreSQL manual, COPY, "Text Format"), encoded as they are added.
package struct CopyRows: Sendable {
    /// The statement with the table and the columns, as in `task (id, job)`.
    let target: String
    private(set) var bytes: [UInt8] = []
    /// The number of rows.
    package private(set) var count = 0

    /// Begins without rows.
    /// - Parameter target: the table and, in parentheses, its columns.
    package init(into target: String) { self.target = target }

    /// Adds a row, with a value for each column.
    package mutating func add(_ values: [any Parameter]) {
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            append(value.parameterText)
        }
        bytes.append(UInt8(ascii: "\n"))
        count += 1
    }

    private mutating func append(_ text: String?) {
        guard let text else { return bytes.append(contentsOf: "\\N".utf8) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
