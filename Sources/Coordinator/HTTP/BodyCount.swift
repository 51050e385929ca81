import Synchronization

/// The bytes of a request's body that were read, whatever length it announced.
final class BodyCount: Sendable {
    private let value = Atomic(0)

    /// The number of bytes so far.
    var byteCount: Int { value.load(ordering: .relaxed) }

    /// Counts more of them.
    func add(_ byteCount: Int) { value.wrappingAdd(byteCount, ordering: .relaxed) }
}
