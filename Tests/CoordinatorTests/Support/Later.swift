import Synchronization

/// The seconds by which a coordinator's time of day is ahead, which a test changes while it runs.
final class Later: Sendable {
    private let value = Mutex(0.0)

    /// The seconds.
    var seconds: Double {
        get { value.withLock(\.self) }
        set { value.withLock { $0 = newValue } }
    }
}
