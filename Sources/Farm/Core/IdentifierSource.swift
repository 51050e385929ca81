import Synchronization
package import WireProtocol

/// Draws identifiers, at random or reproducibly from a seed. It may be shared.
///
/// Those of one millisecond sort in the order in which they were drawn: the jobs of a batch are stored together, and are
/// worked on and listed in the order of their identifiers.
package final class IdentifierSource: Sendable {
    private struct State {
        var seeded: SeededGenerator?
        /// The last identifier of each of the milliseconds that were drawn at last.
        var last: [(milliseconds: UInt64, drawn: UniqueNumber)] = []
    }

    /// Transactions whose times differ draw at the same time, so that the last millisecond alone does not do.
    private static let millisecondsKept = 8

    private let state: Mutex<State>

    /// Draws from the system's random numbers.
    package init() { state = Mutex(State()) }

    /// Draws reproducibly: equal seeds and equal calls give equal identifiers.
    package init(seed: UInt64) { state = Mutex(State(seeded: SeededGenerator(seed: seed))) }

    /// Draws the next identifier.
    /// - Parameter now: the time by which identifiers sort.
    package func next<Identifier: TypedIdentifier>(at now: FarmTime) -> Identifier {
        let milliseconds = UInt64(clamping: now.milliseconds)
        return state.withLock { state in
            guard var generator = state.seeded else {
                var system = SystemRandomNumberGenerator()
                return Identifier(uuid: Self.draw(milliseconds, &state.last, &system).uuid)
            }
            defer { state.seeded = generator }
            return Identifier(uuid: Self.draw(milliseconds, &state.last, &generator).uuid)
        }
    }

    private static func draw(
        _ milliseconds: UInt64,
        _ last: inout [(milliseconds: UInt64, drawn: UniqueNumber)],
        _ generator: inout some RandomNumberGenerator
    ) -> UniqueNumber {
        let place = last.firstIndex { $0.milliseconds == milliseconds }
        let following = place.flatMap { last[$0].drawn.following(using: &generator) }
        let drawn = following ?? UniqueNumber(milliseconds: milliseconds, using: &generator)
        if let place {
            last[place].drawn = drawn
        } else {
            if last.count == millisecondsKept { last.removeFirst() }
            last.append((milliseconds, drawn))
        }
        return drawn
    }
}
