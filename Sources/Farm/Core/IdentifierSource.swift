public import WireProtocol
import Synchronization

/// Draws identifiers: at random, or the same ones again from a seed. Safe to share.
public final class IdentifierSource: Sendable {
    private let seeded: Mutex<SeededGenerator?>

    /// From the system's random numbers.
    public init() { seeded = Mutex(nil) }

    /// Equal seeds and equal calls give equal identifiers.
    public init(seed: UInt64) { seeded = Mutex(SeededGenerator(seed: seed)) }

    public func next<Identifier: TypedIdentifier>(at now: FarmTime) -> Identifier {
        let milliseconds = UInt64(clamping: now.milliseconds)
        return seeded.withLock { generator in
            guard generator != nil else {
                var system = SystemRandomNumberGenerator()
                return Identifier(milliseconds: milliseconds, using: &system)
            }
            return Identifier(milliseconds: milliseconds, using: &generator!)
        }
    }
}
