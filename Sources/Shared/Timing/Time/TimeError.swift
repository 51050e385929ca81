/// The reason why time arithmetic has no result.
package enum TimeError: Error, Sendable, Hashable {
    /// The exact result does not fit into `Int64` over `Int64`.
    case overflow
    /// A fraction or a division has the denominator 0.
    case zeroDenominator
    /// A range's duration, or a rate, was negative or zero where it must not be.
    case notPositive
}
