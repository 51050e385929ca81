package import NIOCore

/// The times that a client may take. Hummingbird has no limits of its own.
package struct ConnectionLimits: Sendable {
    /// The time from the beginning of a connection to the end of its TLS handshake.
    package var handshake: TimeAmount = .seconds(10)
    /// The time without a request in progress, or before the first request has arrived completely.
    package var idle: TimeAmount = .seconds(75)
    /// The time over which a body that is being read must bring ``bodyBytes`` or end.
    package var bodyWindow: TimeAmount = .seconds(30)
    /// The least bytes of a body in each ``bodyWindow``.
    package var bodyBytes = 16 * 1024
    /// The time after which a client that takes nothing of an answer is cut off.
    package var stalledAnswer: TimeAmount = .seconds(60)
    /// The time to read an answer that came before the whole request. A client that goes on sending gets it again and
    /// again as long as it sends ``bodyBytes`` meanwhile: a connection that is closed under a client that sends takes
    /// the answer with it.
    package var linger: TimeAmount = .seconds(2)
    /// The bytes of a refused body that are read and thrown away, so that its client comes to read the answer.
    package var droppedBytes = 32 << 20

    /// Makes the limits of every coordinator; tests shorten them.
    package init() {}
}
