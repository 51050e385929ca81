/// Text that must not reach a log, an error or a dump: it prints as dots.
public struct Secret: Sendable, Hashable {
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The text itself, for the one call that needs it.
    public func reveal() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "•••" }
    public var debugDescription: String { "•••" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
