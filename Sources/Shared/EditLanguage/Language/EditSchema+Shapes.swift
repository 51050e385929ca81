import CompositionModel

extension EditSchema {
    static func schema(of shape: EditShape) -> JSONNode {
        switch shape {
        case .time: .reference("time")
        case .text: .object([("type", .text("string")), ("minLength", .number(1))])
        case .pattern(let pattern): .object([("type", .text("string")), ("pattern", .text(pattern))])
        case .words(let words): .object([("enum", .list(words.map(JSONNode.text)))])
        case .flag: .object([("type", .text("boolean"))])
        case .integer(let range):
            .object([
                ("type", .text("integer")), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ])
        case .decimal: .object([("type", .text("number"))])
        case .tuple(let shapes): tuple(shapes)
        case .list(let shape): .object([("type", .text("array")), ("items", value(of: shape))])
        case .map(let shape): map(shape)
        case .object(let object): .reference(object.rawValue)
        case .anyOf(let shapes): .object([("anyOf", .list(shapes.map(schema(of:))))])
        case .anything: .flag(true)
        }
    }

    private static func map(_ shape: EditShape) -> JSONNode {
        .object([
            ("type", .text("object")),
            ("patternProperties", .object([("^x-", .flag(true))])),
            ("additionalProperties", value(of: shape)),
        ])
    }

    private static func tuple(_ shapes: [EditShape]) -> JSONNode {
        .object([
            ("type", .text("array")),
            ("prefixItems", .list(shapes.map(value(of:)))),
            ("minItems", .number(shapes.count)),
            ("maxItems", .number(shapes.count)),
        ])
    }
}

// Values that stand in no text.
extension JSONNode {
    static func text(_ text: String) -> JSONNode { JSONNode(value: .string(text), mark: .nowhere) }
    static func number(_ number: Int) -> JSONNode { JSONNode(value: .number("\(number)"), mark: .nowhere) }
    static func flag(_ flag: Bool) -> JSONNode { JSONNode(value: .bool(flag), mark: .nowhere) }
    static func list(_ items: [JSONNode]) -> JSONNode { JSONNode(value: .array(items), mark: .nowhere) }

    static func object(_ members: [(String, JSONNode)]) -> JSONNode {
        let members = members.map { JSONMember(key: $0.0, keyMark: .nowhere, node: $0.1) }
        return JSONNode(value: .object(members), mark: .nowhere)
    }

    /// `{ "$ref": "#/$defs/name" }`.
    static func reference(_ name: String) -> JSONNode { .object([("$ref", .text("#/$defs/\(name)"))]) }

    /// This schema with a description before it.
    func described(_ description: String) -> JSONNode {
        guard case .object(let members) = value else { return self }
        return .object([("description", .text(description))] + members.map { ($0.key, $0.node) })
    }
}
