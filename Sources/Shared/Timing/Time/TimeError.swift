/// Why a piece of time arithmetic has no answer.
public enum TimeError: Error, Sendable, Hashable {
    /// The exact result does not fit into `Int64` over `Int64`.
    case overflow
    case zeroDenominator
    /// A range's duration, or a rate, was negative or zero where it must not be.
    case notPositive
}
