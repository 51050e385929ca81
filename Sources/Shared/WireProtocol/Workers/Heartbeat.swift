import CompositionModel
import Planning

/// The body of `POST /v1/workers/{id}/heartbeat`, which renews all leases named. The answer is 200 with a
/// ``HeartbeatReply``.
public struct Heartbeat: Sendable, Hashable, Codable {
    /// The attempts that the worker holds, with their progress; may be empty.
    public var attempts: [AttemptProgress]

    public init(attempts: [AttemptProgress]) { self.attempts = attempts }
}

/// The progress of one attempt.
public struct AttemptProgress: Sendable, Hashable, Codable {
    /// The attempt whose lease is renewed.
    public var attempt: AttemptID
    /// The progress in thousandths, 0 … 1000.
    public var permille: Int

    public init(attempt: AttemptID, permille: Int) {
        self.attempt = attempt
        self.permille = permille
    }
}

/// The answer to a ``Heartbeat``.
public struct HeartbeatReply: Sendable, Hashable, Codable {
    /// The attempts still held. Each lease lasts its full length again, counted from when the request was sent.
    public var renewed: [AttemptID]
    /// The attempts that are superseded, cancelled or unknown: the worker stops them, discards their results and
    /// reports nothing more about them.
    public var lost: [AttemptID]
    /// Whether the worker must finish its attempts, take no new ones, and then leave.
    public var drain: Bool

    public init(renewed: [AttemptID], lost: [AttemptID], drain: Bool) {
        self.renewed = renewed
        self.lost = lost
        self.drain = drain
    }
}
