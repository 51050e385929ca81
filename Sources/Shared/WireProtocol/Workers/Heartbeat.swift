import CompositionModel
import Planning

/// `POST /v1/workers/{id}/heartbeat` → 200 ``HeartbeatReply``: renews all leases named.
public struct Heartbeat: Sendable, Hashable, Codable {
    public var attempts: [AttemptProgress]

    public init(attempts: [AttemptProgress]) { self.attempts = attempts }
}

public struct AttemptProgress: Sendable, Hashable, Codable {
    public var attempt: AttemptID
    /// 0 … 1000.
    public var permille: Int

    public init(attempt: AttemptID, permille: Int) {
        self.attempt = attempt
        self.permille = permille
    }
}

public struct HeartbeatReply: Sendable, Hashable, Codable {
    /// Still held; count the lease anew from when the request was sent.
    public var renewed: [AttemptID]
    /// Superseded, cancelled or unknown: stop the work, throw it away, say nothing more of it.
    public var lost: [AttemptID]
    /// Finish what is in hand, take nothing new, then leave.
    public var drain: Bool

    public init(renewed: [AttemptID], lost: [AttemptID], drain: Bool) {
        self.renewed = renewed
        self.lost = lost
        self.drain = drain
    }
}
