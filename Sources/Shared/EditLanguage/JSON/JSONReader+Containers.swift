import CompositionModel

extension JSONReader {
    /// Reads the value that begins here (white space is behind).
    mutating func value(at path: SourcePath, depth: Int) throws(Stop) -> JSONNode {
        let mark = here(path)
        valueCount += 1
        if isCancellable, valueCount.isMultiple(of: 1024), Task.isCancelled { throw Stop() }
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
        let paths = SourcePath.Children(of: mark.path)
        advance()
        while try !closes(UInt8(ascii: "]"), mark, "list") {
            items.append(try value(at: paths.item(items.count), depth: depth + 1))
            try separator(before: UInt8(ascii: "]"), mark)
        }
        return items
    }

    private mutating func members(of mark: SourceMark, depth: Int) throws(Stop) -> [JSONMember] {
        var members: [JSONMember] = []
        let paths = SourcePath.Children(of: mark.path, names)
        var known = JSONKeys()
        advance()
        while try !closes(UInt8(ascii: "}"), mark, "object") {
            if let member = try member(of: mark, paths, depth: depth) {
                if let first = known.place(of: member.key, in: members) {
                    let line = members[first].keyMark.line
                    let message = "the key “\(member.key)” stands here again, it is already on line \(line)"
                    try report(.duplicateKey, member.keyMark, message)
                } else {
                    members.append(member)
                }
            }
            try separator(before: UInt8(ascii: "}"), mark)
        }
        return members
    }

    /// - Returns: nil when there is no key that could be meant; something was stepped over.
    private mutating func member(
        of object: SourceMark,
        _ paths: SourcePath.Children,
        depth: Int
    ) throws(Stop) -> JSONMember? {
        let place = here(object.path)
        guard let key = try key(place, depth: depth) else { return nil }
        let path = paths.member(key)
        let keyMark = SourceMark(path, line: place.line, column: place.column)
        try skipTrivia()
        if peek == UInt8(ascii: ":") {
            advance()
            try skipTrivia()
        } else {
            try report(.json, here(path), "a colon is missing after the key “\(key)”")
        }
        return JSONMember(key: key, keyMark: keyMark, node: try value(at: path, depth: depth + 1))
    }

    /// Steps over white space and stray commas, and over the closing `bracket` when it is there.
    private mutating func closes(_ bracket: UInt8, _ start: SourceMark, _ name: String) throws(Stop) -> Bool {
        try skipTrivia()
        while peek == UInt8(ascii: ",") {
            try report(.json, here(start.path), "there is nothing before this comma")
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
            throw stop(.json, here(start.path), "“\(wanted)” is expected here, for what began on line \(start.line)")
        default: try report(.json, here(start.path), "a comma is missing here")
        }
    }
}

/// Finds keys among the members of an object: few are looked through, which is quicker than a table; many have one.
private struct JSONKeys {
    private static let few = 12
    private var places: [String: Int] = [:]

    /// The position of the member with this key; nil when there is none.
    /// - Parameter members: the members read so far, in which no key stands twice.
    mutating func place(of key: String, in members: [JSONMember]) -> Int? {
        guard members.count > Self.few else { return members.firstIndex { $0.key == key } }
        while places.count < members.count { places[members[places.count].key] = places.count }
        return places[key]
    }
}
