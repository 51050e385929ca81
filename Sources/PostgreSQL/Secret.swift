/// Text that must not reach a log, an error or a dump: it prints as dots.
public struct Secret: Sendable, Hashable {
    private let text: String

    /// Wraps a text that must not be printed.
    public init(_ text: String) { self.text = text }

    /// The text itself, for the one call that needs it.
    public func reveal() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Dots in place of the text.
    public var description: String { "•••" }
    /// Dots in place of the text.
    public var debugDescription: String { "•••" }
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
