import CompositionModel

/// What an edit and all edits nested in it may make of themselves together: small texts multiply.
final class CompileAllowance {
    /// Frames over which speeds change.
    var rampSteps = Limits.rampFrames
    /// Instructions and their layers.
    var pieces = Limits.mostSegments
}
