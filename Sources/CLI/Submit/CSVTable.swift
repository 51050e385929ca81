/// The rows of a text as RFC 4180 writes them: fields with commas between them, quoted where they hold commas, quotes or line
/// ends. Lines end with LF or CRLF, and a byte order mark at the beginning is passed over.
struct CSVTable {
    /// One row that is not empty.
    struct Row {
        /// The line on which it begins, from 1.
        let line: Int
        /// Its fields, or what is wrong with it, as the end of a sentence.
        let fields: Result<[String], Malformed>
    }

    /// The reason why a row cannot be read.
    struct Malformed: Error {
        let reason: String
    }

    let rows: [Row]

    /// Reads a text. A row that is malformed ends with its line.
    init(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8))
        if reader.bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.place = 3 }
        var rows: [Row] = []
        while let row = reader.row() {
            if case .success(let fields) = row.fields, fields == [""] { continue }
            rows.append(row)
        }
        self.rows = rows
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0
        var line = 1

        private static let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
        private static let (newline, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

        init(bytes: [UInt8]) { self.bytes = bytes }

        private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

        /// Reads a row with its end; nil at the end of the text.
        mutating func row() -> Row? {
            guard next != nil else { return nil }
            let start = line
            var fields: [String] = []
            while true {
                do throws(Malformed) {
                    fields.append(try field())
                } catch {
                    while next != nil, next != Self.newline { place += 1 }
                    endLine()
                    return Row(line: start, fields: .failure(error))
                }
                guard next == Self.comma else { break }
                place += 1
            }
            endLine()
            return Row(line: start, fields: .success(fields))
        }

        private mutating func endLine() {
            guard next == Self.newline else { return }
            place += 1
            line += 1
        }

        private mutating func field() throws(Malformed) -> String {
            guard next == Self.quote else { return try plain() }
            place += 1
            let begin = line
            var text: [UInt8] = []
            while let byte = next {
                place += 1
                if byte == Self.newline { line += 1 }
                guard byte == Self.quote else {
                    text.append(byte)
                    continue
                }
                guard next == Self.quote else { return try closed(text) }
                text.append(Self.quote)
                place += 1
            }
            throw Malformed(reason: "a quote that opens on line \(begin) is not closed")
        }

        private mutating func closed(_ text: [UInt8]) throws(Malformed) -> String {
            skipCarriage()
            guard next == nil || next == Self.comma || next == Self.newline else {
                throw Malformed(reason: "text follows a closing quote; double the quotes that belong to a field")
            }
            return String(decoding: text, as: UTF8.self)
        }

        private mutating func plain() throws(Malformed) -> String {
            let begin = place
            while let byte = next, byte != Self.comma, byte != Self.newline {
                guard byte != Self.quote else {
                    throw Malformed(
                        reason: "a quote stands in a field that does not begin with one; quote the field, and double it"
                    )
                }
                place += 1
            }
            var end = place
            if end > begin, bytes[end - 1] == Self.carriage, next != Self.comma { end -= 1 }
            return String(decoding: bytes[begin..<end], as: UTF8.self)
        }

        /// Passes over the first half of a CRLF.
        private mutating func skipCarriage() {
            guard next == Self.carriage else { return }
            guard place + 1 == bytes.count || bytes[place + 1] == Self.newline else { return }
            place += 1
        }
    }
}
