import Synchronization

/// Bytes of sources that moved over the network for one task.
final class TrafficCounter: Sendable {
    private let total = Atomic<Int64>(0)

    func add(_ count: Int) { total.wrappingAdd(Int64(count), ordering: .relaxed) }

    var bytes: Int64 { total.load(ordering: .relaxed) }
}
