/// Text that must not reach a log, an error or a dump: it prints as dots.
package struct Secret: Sendable, Hashable {
    private let text: String

    /// Wraps a text that must not be printed.
    package init(_ text: String) { self.text = text }

    /// The text itself, for the one call that needs it.
    package func reveal() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Dots in place of the text.
    package var description: String { "•••" }
    /// Dots in place of the text.
    package var debugDescription: String { "•••" }
    /// A mirror without children, so that `dump` shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
