import CompositionModel

/// One value of a JSON document with its place. Numbers keep their text: nothing is rounded on the way in.
struct JSONNode: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        case null
        case bool(Bool)
        /// The number's text, which obeys JSON's grammar.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// In the order of the text; keys are unique.
        case object([JSONMember])
        /// Could not be read; the finding is made.
        case invalid
    }

    var value: Value
    var mark: SourceMark

    /// The member named `key`, when this is an object that has it.
    subscript(key: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.node
    }

    /// How a message calls the value's type.
    var kindName: String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        case .invalid: "nothing that can be read"
        }
    }
}

/// A key of an object with its value.
struct JSONMember: Sendable, Hashable {
    var key: String
    // A text has at most 16 MiB, and an edit has a member for nearly each of its values.
    private let keyLine: Int32
    private let keyColumn: Int32
    var node: JSONNode

    /// - Parameter keyMark: where the key stands.
    init(key: String, keyMark: SourceMark, node: JSONNode) {
        self.key = key
        keyLine = Int32(clamping: keyMark.line)
        keyColumn = Int32(clamping: keyMark.column)
        self.node = node
    }

    /// Where the key stands; its pointer is the value's.
    var keyMark: SourceMark { SourceMark(node.mark.path, line: Int(keyLine), column: Int(keyColumn)) }
}
