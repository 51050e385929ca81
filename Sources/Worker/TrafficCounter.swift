import Synchronization

/// The bytes of sources that moved over the network for one task.
final class TrafficCounter: Sendable {
    private let total = Atomic<Int64>(0)

    /// Adds bytes that were fetched.
    func add(_ count: Int) { total.wrappingAdd(Int64(count), ordering: .relaxed) }

    /// The bytes that were fetched so far.
    var bytes: Int64 { total.load(ordering: .relaxed) }
}
