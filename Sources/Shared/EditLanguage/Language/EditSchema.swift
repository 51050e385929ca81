/// The JSON Schema (draft 2020-12) of `edit/1`, for editors and programs that write edits.
///
/// It comes from the same tables as the reader (``EditObject/keys``), so the two cannot disagree about keys. The reader
/// finds more: names that do not exist, times that exclude each other, comments and trailing commas it allows.
package enum EditSchema {
    /// The `$id` of the schema.
    package static let identifier = "urn:cutfarm:schema:edit-1"

    /// The schema as indented JSON, ended by a newline.
    package static let text = JSONText.indented(node) + "\n"

    static let node: JSONNode = .object([
        ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
        ("$id", .text(identifier)),
        ("title", .text("Cutfarm edit, \(Edit.schemaName)")),
        ("$ref", .text("#/$defs/edit")),
        ("$defs", .object(definitions)),
    ])

    private static var definitions: [(String, JSONNode)] {
        [("time", time), ("use", parameterUse)] + EditObject.allCases.map { ($0.rawValue, schema(of: $0)) }
    }

    private static var time: JSONNode {
        let forms = [
            "-?[0-9]+/[0-9]+", #"-?[0-9]+(\.[0-9]+)?m?s"#, "-?[0-9]+f", "[0-9]{2,}:[0-9]{2}:[0-9]{2}[:;][0-9]{2,}",
            "[0-9]+@[0-9]+", "#[0-9]+",
        ]
        return .object([
            ("description", .text("2.5s, 150ms, 1001/30000, 15f, 00:00:01:12, 00:00:01;12, 48000@44100, #120 (in)")),
            ("type", .text("string")),
            ("pattern", .text("^(" + forms.joined(separator: "|") + ")$")),
        ])
    }

    /// In place of a value, or inside a string.
    private static var parameterUse: JSONNode {
        let whole = JSONNode.object([
            ("type", .text("object")),
            ("properties", .object([("$param", .object([("type", .text("string"))]))])),
            ("required", .list([.text("$param")])),
            ("additionalProperties", .flag(false)),
        ])
        let inside = JSONNode.object([("type", .text("string")), ("pattern", .text(#"\{\{.+\}\}"#))])
        return .object([
            ("description", .text("The value of a parameter; inside a string it is written {{name}}.")),
            ("anyOf", .list([whole, inside])),
        ])
    }

    static func schema(of object: EditObject) -> JSONNode {
        let keys = object.keys
        return .object([
            ("description", .text(object.name)),
            ("type", .text("object")),
            ("properties", .object(keys.map { ($0.name, property($0)) })),
            ("patternProperties", .object([("^x-", .flag(true))])),
            ("required", .list(keys.filter(\.isRequired).map { .text($0.name) })),
            ("additionalProperties", .flag(false)),
        ])
    }

    private static func property(_ key: EditKey) -> JSONNode {
        // Which language and which kind of track this is cannot be a parameter.
        let isFixed = ["schema", "kind", "params", "type", "default"].contains(key.name)
        return (isFixed ? schema(of: key.shape) : value(of: key.shape)).described(key.summary)
    }

    /// A value of form `shape` or the use of a parameter.
    static func value(of shape: EditShape) -> JSONNode {
        if shape == .object(.parameter) { return schema(of: shape) }
        return .object([("anyOf", .list([schema(of: shape), .reference("use")]))])
    }
}
