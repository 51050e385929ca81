import CompositionModel
import Planning

/// The body of `POST /v1/workers/{id}/heartbeat`, which renews all leases named. The answer is 200 with a
/// ``HeartbeatReply``.
package struct Heartbeat: Sendable, Hashable, Codable {
    /// The attempts that the worker holds, with their progress; may be empty.
    package var attempts: [AttemptProgress]
    /// What the worker says of its machine every few seconds; nil in between, and from earlier versions.
    package var machine: MachineReading?

    package init(attempts: [AttemptProgress], machine: MachineReading? = nil) {
        self.attempts = attempts
        self.machine = machine
    }
}

/// The progress of one attempt.
package struct AttemptProgress: Sendable, Hashable, Codable {
    /// The attempt whose lease is renewed.
    package var attempt: AttemptID
    /// The progress in thousandths, 0 … 1000.
    package var permille: Int

    package init(attempt: AttemptID, permille: Int) {
        self.attempt = attempt
        self.permille = permille
    }
}

/// The answer to a ``Heartbeat``.
package struct HeartbeatReply: Sendable, Hashable, Codable {
    /// The attempts still held. Each lease lasts its full length again, counted from when the request was sent.
    package var renewed: [AttemptID]
    /// The attempts that are superseded, cancelled or unknown: the worker stops them, discards their results and
    /// reports nothing more about them.
    package var lost: [AttemptID]
    /// Whether the worker must finish its attempts, take no new ones, and then leave.
    package var drain: Bool

    package init(renewed: [AttemptID], lost: [AttemptID], drain: Bool) {
        self.renewed = renewed
        self.lost = lost
        self.drain = drain
    }
}
