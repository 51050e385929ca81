public import NIOCore

/// How long a client may take. Hummingbird has no limits of its own.
public struct ConnectionLimits: Sendable {
    /// From the begin of a connection to the end of its TLS handshake.
    public var handshake: TimeAmount = .seconds(10)
    /// Without a request in progress, or before the first has come whole.
    public var idle: TimeAmount = .seconds(75)
    /// Over each such time a body that is being read must bring ``bodyBytes`` or end.
    public var bodyWindow: TimeAmount = .seconds(30)
    public var bodyBytes = 16 * 1024
    /// A client that takes nothing of an answer for so long is cut off.
    public var stalledAnswer: TimeAmount = .seconds(60)
    /// After an answer that came before the whole request: time to read it.
    public var linger: TimeAmount = .seconds(2)

    public init() {}
}
