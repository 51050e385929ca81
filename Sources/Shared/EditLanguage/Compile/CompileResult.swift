package import CompositionModel

/// A composition, and what is wrong with its edit.
package struct CompileResult: Sendable, Hashable {
    /// The composition; nil exactly when `findings` has an error.
    package var composition: Composition?
    /// The findings in the order of the text; those of no place come first.
    package var findings: [Finding]
}
