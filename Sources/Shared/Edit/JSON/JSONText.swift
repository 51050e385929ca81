/// JSON values as text.
enum JSONText {
    /// `text` as a JSON string, in its quotes.
    static func quoted(_ text: String) -> String {
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
