/// One key of an object of the edit language. These tables drive both the reader and the JSON Schema.
struct EditKey: Sendable {
    var name: String
    var shape: EditShape
    /// What it might say, as JSON; only a required key has one.
    var example: String?
    /// One line for the schema's readers.
    var summary: String

    init(_ name: String, _ shape: EditShape, required example: String? = nil, _ summary: String) {
        self.name = name
        self.shape = shape
        self.example = example
        self.summary = summary
    }

    var isRequired: Bool { example != nil }
}

/// The form of a value.
indirect enum EditShape: Sendable, Hashable {
    case time
    case text
    /// Text of this ECMA 262 pattern.
    case pattern(String)
    case words([String])
    case flag
    case integer(ClosedRange<Int>)
    case decimal
    /// Exactly these, in this order.
    case tuple([EditShape])
    case list(EditShape)
    /// An object with free names.
    case map(EditShape)
    case object(EditObject)
    case anyOf([EditShape])
    case anything
}
