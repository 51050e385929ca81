import Foundation

/// The clock of a store in memory.
package struct FarmClock: Sendable {
    private let read: @Sendable () -> FarmTime

    /// Makes a clock that reads the time by a function.
    package init(_ read: @escaping @Sendable () -> FarmTime) { self.read = read }

    /// This machine's clock, for a store that stands for a real one.
    package static let system = FarmClock {
        FarmTime(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// A clock that always shows `now`.
    package static func standing(at now: FarmTime) -> FarmClock { FarmClock { now } }

    /// The time now.
    package func now() -> FarmTime { read() }
}
