/// `{ "effect": NAME, … }` as it is written.
public struct EditEffect: Sendable, Hashable {
    public var name: PictureEffect.Name
    /// By the names of the effect's parameters.
    public var values: [String: EditProperty]
    public var color: Marked<String>?
    public var mark: SourceMark
}
