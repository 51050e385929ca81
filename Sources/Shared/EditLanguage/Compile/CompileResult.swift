public import CompositionModel

/// What came of compiling.
public struct CompileResult: Sendable, Hashable {
    /// Nil exactly when `findings` has an error.
    public var composition: Composition?
    /// In the order of the text; those of no place come first.
    public var findings: [Finding]
}
