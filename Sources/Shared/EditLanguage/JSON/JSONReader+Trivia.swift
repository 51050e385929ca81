import CompositionModel

extension JSONReader {
    /// Steps over white space and comments.
    mutating func skipTrivia() throws(Stop) {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): advance()
            case UInt8(ascii: "/") where follows("//"): skipLine()
            case UInt8(ascii: "/") where follows("/*"): try skipBlockComment()
            default: return
            }
        }
    }

    func follows(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[offset...].starts(with: $0) }
    }

    private mutating func skipLine() {
        while let byte = peek, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { advance() }
    }

    private mutating func skipBlockComment() throws(Stop) {
        let start = here(.whole)
        advance()
        advance()
        while !follows("*/") {
            guard peek != nil else { throw stop(.json, start, "the comment that begins here is never closed") }
            advance()
        }
        advance()
        advance()
    }
}
