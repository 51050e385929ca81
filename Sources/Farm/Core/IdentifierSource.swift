import Synchronization
package import WireProtocol

/// Draws identifiers, at random or reproducibly from a seed. It may be shared.
package final class IdentifierSource: Sendable {
    private let seeded: Mutex<SeededGenerator?>

    /// Draws from the system's random numbers.
    package init() { seeded = Mutex(nil) }

    /// Draws reproducibly: equal seeds and equal calls give equal identifiers.
    package init(seed: UInt64) { seeded = Mutex(SeededGenerator(seed: seed)) }

    /// Draws the next identifier.
    /// - Parameter now: the time by which identifiers sort.
    package func next<Identifier: TypedIdentifier>(at now: FarmTime) -> Identifier {
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
