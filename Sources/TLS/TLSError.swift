/// Why a connection over TLS ended otherwise than by agreement: a code and one sentence.
package struct TLSError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The two sides found no common ground, or the client speaks no TLS.
        case handshakeFailed = "tls_handshake_failed"
        /// The client closed the connection before the handshake was complete, as probes of load balancers do.
        case clientLeft = "tls_client_left"
        /// The client took too long over the handshake.
        case handshakeTimeout = "tls_handshake_timeout"
        /// The connection ended without `close_notify` (RFC 8446, 6.1): what came last may be missing.
        case truncated = "tls_truncated"
        /// A record was damaged or out of place, or the client sent a fatal alert.
        case protocolViolation = "tls_protocol_violation"
        /// The client makes us answer control messages and does not read the answers.
        case answersUnread = "tls_answers_unread"
    }

    package let code: Code
    /// One sentence.
    package let description: String
}

extension TLSError {
    /// Whether clients that do no wrong cause it every day.
    var isCommon: Bool { code == .truncated || code == .clientLeft }

    static func handshakeFailed(_ reason: String) -> TLSError {
        TLSError(code: .handshakeFailed, description: "The TLS handshake failed: \(reason).")
    }

    static func violated(_ reason: String) -> TLSError {
        TLSError(code: .protocolViolation, description: "The TLS connection broke: \(reason).")
    }

    static let handshakeTimeout = TLSError(
        code: .handshakeTimeout,
        description: "The client did not complete the TLS handshake in time."
    )

    static let clientLeft = TLSError(
        code: .clientLeft,
        description: "The client closed the connection before the TLS handshake was complete."
    )

    static let truncated = TLSError(
        code: .truncated,
        description: "The client ended the connection without saying so in TLS (no close_notify)."
    )

    static let answersUnread = TLSError(
        code: .answersUnread,
        description: "The client demands more answers in TLS than it reads."
    )
}
