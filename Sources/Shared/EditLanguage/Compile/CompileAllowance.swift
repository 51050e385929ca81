import CompositionModel

/// How much an edit and all edits nested in it may still come to together: small texts multiply.
final class CompileAllowance {
    /// The number of frames over which speeds may still change.
    var rampSteps = Limits.rampFrames
    /// The number of instructions and of their layers that may still come.
    var pieces = Limits.mostSegments
}
