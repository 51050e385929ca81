import Foundation

/// Whether JSON is as a schema of the document has it. Of JSON Schema 2020-12 it knows the words that the document uses; a
/// member that the schema of an object does not name is a mistake too, so that the document stays whole.
struct SchemaCheck {
    let document: OpenAPIDocument

    private static let known: Set<String> = [
        "$ref", "type", "description", "properties", "required", "additionalProperties", "items", "enum", "pattern",
        "format", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "minProperties",
        "maxProperties", "oneOf",
    ]

    /// The first thing that is wrong with a value, with its place; nil when nothing is.
    func complaint(_ value: JSONText, _ schema: JSONText, at place: String) -> String? {
        guard let schema = document.resolved(schema) else { return "\(place): the document has no such schema" }
        let unknown = Set(schema.object.keys).subtracting(Self.known)
        guard unknown.isEmpty else { return "\(place): this check does not know \(unknown.sorted())" }
        if let choices = schema["oneOf"]?.list {
            let fitting = choices.count { complaint(value, $0, at: place) == nil }
            return fitting == 1 ? nil : "\(place): \(fitting) of \(choices.count) alternatives fit"
        }
        if let allowed = schema["enum"]?.list, !allowed.contains(value) { return "\(place): \(value) is not allowed" }
        switch (schema["type"]?.text, value) {
        case (nil, _), ("boolean", .flag): return nil
        case ("string", .text(let text)): return complaint(text, schema, place)
        case ("number", .number(let number)): return complaint(number, schema, place)
        case ("integer", .number(let number)):
            return number == number.rounded() ? complaint(number, schema, place) : "\(place): \(number) is not whole"
        case ("array", .list(let values)): return complaint(values, schema, place)
        case ("object", .object(let members)): return complaint(members, schema, place)
        default: return "\(place): \(value) is no \(schema["type"]?.text ?? "")"
        }
    }

    private func complaint(_ text: String, _ schema: JSONText, _ place: String) -> String? {
        if let pattern = schema["pattern"]?.text, text.range(of: pattern, options: .regularExpression) == nil {
            return "\(place): “\(text)” is not \(pattern)"
        }
        if schema["format"]?.text == "date-time",
            text.range(of: #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"#, options: .regularExpression) == nil
        {
            return "\(place): “\(text)” is no instant"
        }
        return outside(Double(text.unicodeScalars.count), schema, "minLength", "maxLength", place)
    }

    private func complaint(_ number: Double, _ schema: JSONText, _ place: String) -> String? {
        outside(number, schema, "minimum", "maximum", place)
    }

    private func complaint(_ values: [JSONText], _ schema: JSONText, _ place: String) -> String? {
        if let wrong = outside(Double(values.count), schema, "minItems", "maxItems", place) { return wrong }
        guard let items = schema["items"] else { return "\(place): the document does not say what the array has" }
        for (index, value) in values.enumerated() {
            if let wrong = complaint(value, items, at: "\(place)/\(index)") { return wrong }
        }
        return nil
    }

    private func complaint(_ members: [String: JSONText], _ schema: JSONText, _ place: String) -> String? {
        let counted = outside(Double(members.count), schema, "minProperties", "maxProperties", place)
        if let counted { return counted }
        for name in schema["required"]?.list.compactMap(\.text) ?? [] where members[name] == nil {
            return "\(place): “\(name)” is missing"
        }
        // An object of which the document says nothing may have any members.
        guard schema["properties"] != nil || schema["additionalProperties"] != nil else { return nil }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let own = schema["properties"]?[name] ?? schema["additionalProperties"] else {
                return "\(place): “\(name)” is not documented"
            }
            if let wrong = complaint(value, own, at: "\(place)/\(name)") { return wrong }
        }
        return nil
    }

    private func outside(
        _ number: Double,
        _ schema: JSONText,
        _ least: String,
        _ most: String,
        _ place: String
    ) -> String? {
        if let bound = schema[least]?.number, number < bound { return "\(place): \(number) is below \(bound)" }
        if let bound = schema[most]?.number, number > bound { return "\(place): \(number) is above \(bound)" }
        return nil
    }
}
