import Synchronization

/// Whether bytes of an answer went to a sink, so that the request must not be sent again.
final class Begun: Sendable {
    let value = Mutex(false)
}
