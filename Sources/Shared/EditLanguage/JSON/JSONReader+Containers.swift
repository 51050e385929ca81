import CompositionModel

extension JSONReader {
    /// Reads the value that begins here (white space is behind).
    mutating func value(at pointer: String, depth: Int) throws(Stop) -> JSONNode {
        let mark = here(pointer)
        valueCount += 1
        guard depth <= limits.depth else {
            throw stop(.limit, mark, "lists and objects stand more than \(limits.depth) deep in each other")
        }
        guard valueCount <= limits.valueCount else {
            throw stop(.limit, mark, "the document has more than \(limits.valueCount) values")
        }
        switch peek {
        case UInt8(ascii: "{"): return JSONNode(value: .object(try members(of: mark, depth: depth)), mark: mark)
        case UInt8(ascii: "["): return JSONNode(value: .array(try items(of: mark, depth: depth)), mark: mark)
        case UInt8(ascii: "\""): return JSONNode(value: .string(try string(mark)), mark: mark)
        default: return JSONNode(value: try word(mark), mark: mark)
        }
    }

    private mutating func items(of mark: SourceMark, depth: Int) throws(Stop) -> [JSONNode] {
        var items: [JSONNode] = []
        advance()
        while try !closes(UInt8(ascii: "]"), mark, "list") {
            let pointer = JSONPointer.appending(items.count, to: mark.pointer)
            items.append(try value(at: pointer, depth: depth + 1))
            try separator(before: UInt8(ascii: "]"), mark)
        }
        return items
    }

    private mutating func members(of mark: SourceMark, depth: Int) throws(Stop) -> [JSONMember] {
        var members: [JSONMember] = []
        var lines: [String: Int] = [:]
        advance()
        while try !closes(UInt8(ascii: "}"), mark, "object") {
            if let member = try member(of: mark, depth: depth) {
                if let line = lines.updateValue(member.keyMark.line, forKey: member.key) {
                    let message = "the key “\(member.key)” stands here again, it is already on line \(line)"
                    try report(.duplicateKey, member.keyMark, message)
                    lines[member.key] = line
                } else {
                    members.append(member)
                }
            }
            try separator(before: UInt8(ascii: "}"), mark)
        }
        return members
    }

    /// - Returns: nil when there is no key that could be meant; something was stepped over.
    private mutating func member(of object: SourceMark, depth: Int) throws(Stop) -> JSONMember? {
        let place = here(object.pointer)
        guard let key = try key(place, depth: depth) else { return nil }
        let pointer = JSONPointer.appending(key, to: object.pointer)
        let keyMark = SourceMark(pointer: pointer, line: place.line, column: place.column)
        try skipTrivia()
        if peek == UInt8(ascii: ":") {
            advance()
            try skipTrivia()
        } else {
            try report(.json, here(pointer), "a colon is missing after the key “\(key)”")
        }
        return JSONMember(key: key, keyMark: keyMark, node: try value(at: pointer, depth: depth + 1))
    }

    /// Steps over white space and stray commas, and over the closing `bracket` when it is there.
    private mutating func closes(_ bracket: UInt8, _ start: SourceMark, _ name: String) throws(Stop) -> Bool {
        try skipTrivia()
        while peek == UInt8(ascii: ",") {
            try report(.json, here(start.pointer), "there is nothing before this comma")
            advance()
            try skipTrivia()
        }
        guard let byte = peek else { throw stop(.json, start, "the \(name) that begins here is never closed") }
        guard byte == bracket else { return false }
        advance()
        return true
    }

    /// Steps over the comma between two values; none is needed before the closing `bracket`.
    private mutating func separator(before bracket: UInt8, _ start: SourceMark) throws(Stop) {
        try skipTrivia()
        switch peek {
        case UInt8(ascii: ","): advance()
        case bracket, nil: return
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            let wanted = Character(Unicode.Scalar(bracket))
            throw stop(.json, here(start.pointer), "“\(wanted)” is expected here, for what began on line \(start.line)")
        default: try report(.json, here(start.pointer), "a comma is missing here")
        }
    }
}
