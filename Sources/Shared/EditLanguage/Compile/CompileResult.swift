public import CompositionModel

/// A composition, and what is wrong with its edit.
public struct CompileResult: Sendable, Hashable {
    /// The composition; nil exactly when `findings` has an error.
    public var composition: Composition?
    /// The findings in the order of the text; those of no place come first.
    public var findings: [Finding]
}
