import Foundation

/// Where a store reads the time.
public struct FarmClock: Sendable {
    private let read: @Sendable () -> FarmTime

    public init(_ read: @escaping @Sendable () -> FarmTime) { self.read = read }

    /// This machine's clock: for a model store that stands for a real one.
    public static let system = FarmClock {
        FarmTime(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    public static func standing(at now: FarmTime) -> FarmClock { FarmClock { now } }

    public func now() -> FarmTime { read() }
}
