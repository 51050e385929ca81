import CompositionModel

/// JSON values as text.
package enum JSONText {
    /// `text` as a JSON string, in its quotes.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The first key that stands in an object of `text` twice; nil when there is none.
    package static func repeatedKey(in text: String) -> String? {
        let repeated = JSONReader.read(text).findings.first { $0.rule == FindingRule.duplicateKey.rawValue }
        return repeated.flatMap { JSONPointer.tokens($0.pointer).last }
    }

    /// `node` as strict JSON on one line. Invalid values become null.
    static func compact(_ node: JSONNode) -> String {
        switch node.value {
        case .null, .invalid: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let text): text
        case .string(let text): quoted(text)
        case .array(let items): "[" + items.map(compact).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { quoted($0.key) + ":" + compact($0.node) }.joined(separator: ",") + "}"
        }
    }
}

extension JSONText {
    /// `node` as strict JSON, one member or item on a line; what is short stays on one line.
    static func indented(_ node: JSONNode, depth: Int = 0) -> String {
        let short = spaced(node)
        let room = 100 - depth * 2
        guard short.count > room else { return short }
        let (outer, inner) = (String(repeating: "  ", count: depth), String(repeating: "  ", count: depth + 1))
        switch node.value {
        case .array(let items):
            let lines = items.map { inner + indented($0, depth: depth + 1) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            let lines = members.map { "\(inner)\(quoted($0.key)): " + indented($0.node, depth: depth + 1) }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        default: return short
        }
    }

    /// On one line, with a space after each comma and colon.
    private static func spaced(_ node: JSONNode) -> String {
        switch node.value {
        case .array(let items): "[" + items.map(spaced).joined(separator: ", ") + "]"
        case .object(let members) where members.isEmpty: "{}"
        case .object(let members):
            "{ " + members.map { "\(quoted($0.key)): " + spaced($0.node) }.joined(separator: ", ") + " }"
        default: compact(node)
        }
    }
}
