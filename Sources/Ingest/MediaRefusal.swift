/// The reason why a file, a sequence of files or a text cannot become an asset.
package struct MediaRefusal: Error, Sendable, CustomStringConvertible {
    /// A sentence for the user, without a full stop at its end.
    package let description: String

    init(_ description: String) { self.description = description }
}
