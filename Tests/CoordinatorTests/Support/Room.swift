import Synchronization

/// The bytes that are free on the coordinator's disk of a tebibyte, as a test says.
final class Room: Sendable {
    private let value = Mutex<Int64>(1 << 40)

    var free: Int64 {
        get { value.withLock(\.self) }
        set { value.withLock { $0 = newValue } }
    }
}
