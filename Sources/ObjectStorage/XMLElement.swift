import Foundation

/// An element of a small XML document, as object stores answer: elements and text, without attributes. Prefixes of names are
/// left out.
struct XMLElement: Hashable {
    let name: String
    /// The text directly inside, with its entities replaced.
    fileprivate(set) var text = ""
    fileprivate(set) var children: [XMLElement] = []

    /// The first child of a name; nil when there is none.
    subscript(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The children of a name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

extension XMLElement {
    /// The most elements inside each other.
    private static let depthLimit = 32

    /// The root of a document in UTF-8; nil for what is not well-formed, and for a document that declares entities of its
    /// own, which no object store does.
    init?(document: Data) {
        guard let text = String(data: document, encoding: .utf8) else { return nil }
        var rest = text[...]
        var open: [XMLElement] = []
        var root: XMLElement?
        while !rest.isEmpty {
            guard rest.first == "<" else {
                let end = rest.firstIndex(of: "<") ?? rest.endIndex
                guard let text = Self.unescaped(rest[..<end]) else { return nil }
                if !open.isEmpty {
                    open[open.count - 1].text += text
                } else if !text.allSatisfy(\.isWhitespace) {
                    return nil
                }
                rest = rest[end...]
                continue
            }
            if let passed = Self.passing(rest, from: "<?", to: "?>") ?? Self.passing(rest, from: "<!--", to: "-->") {
                rest = passed.rest
            } else if let section = Self.passing(rest, from: "<![CDATA[", to: "]]>") {
                guard !open.isEmpty else { return nil }
                open[open.count - 1].text += section.inside
                rest = section.rest
            } else if let tag = Self.passing(rest, from: "</", to: ">") {
                guard let element = open.popLast(), element.name == Self.localName(tag.inside) else { return nil }
                if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
                rest = tag.rest
            } else if let tag = Self.passing(rest, from: "<", to: ">") {
                guard root == nil, open.count < Self.depthLimit, let name = Self.localName(tag.inside) else {
                    return nil
                }
                let element = XMLElement(name: name)
                rest = tag.rest
                guard tag.inside.last == "/" else {
                    open.append(element)
                    continue
                }
                if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
            } else {
                return nil
            }
        }
        guard open.isEmpty, let root else { return nil }
        self = root
    }

    /// What stands between two marks at the beginning of `text`, and what follows; nil when they are not there.
    private static func passing(
        _ text: Substring,
        from start: String,
        to end: String
    ) -> (inside: Substring, rest: Substring)? {
        guard text.hasPrefix(start) else { return nil }
        let inside = text.dropFirst(start.count)
        guard let range = inside.range(of: end) else { return nil }
        return (inside[..<range.lowerBound], inside[range.upperBound...])
    }

    /// The name at the beginning of a tag; nil when there is none.
    private static func localName(_ tag: Substring) -> String? {
        let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
        let local = name.split(separator: ":", omittingEmptySubsequences: false).last.map(String.init)
        guard let local, let first = local.first, first.isLetter || first == "_" else { return nil }
        return local
    }

    /// The text with its entities replaced; nil for an entity that XML itself does not have.
    private static func unescaped(_ text: Substring) -> String? {
        guard text.contains("&") else { return String(text) }
        var (result, rest) = ("", text)
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ";") else { return nil }
            let name = rest[rest.index(after: start)..<end]
            guard let character = entity(name) else { return nil }
            result.unicodeScalars.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func entity(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init)
        }
    }
}

extension String {
    /// The text as it stands in an element.
    var xmlEscaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
