import WireProtocol

/// When a lease has expired, and what follows.
///
/// ```
/// granted ──── renewed ──── renewed ─ ─ ─ ─ until ─ ─ ─ ─ swept
///    live, the task is its worker's             │ live still, and the task may be granted to another
/// ```
/// Expiry takes nothing away. It makes a task grantable; the grant supersedes the expired attempts, and until then one of
/// them may still complete it. A lease is measured against the last sweep, not against now, so that a database that
/// stood still for a minute expires nothing that it did not let anyone renew.
package enum LeaseExpiry {
    /// Whether the lease of `attempt` had expired by a sweep.
    /// - Parameter swept: the time of the farm's last sweep. PostgreSQL's store asks the same in SQL (`GrantQueue`).
    /// - Returns: false for an attempt that is over: it holds no lease.
    package static func hasExpired(_ attempt: AttemptRecord, bySweepAt swept: FarmTime) -> Bool {
        attempt.state == .live && attempt.until <= swept
    }

    /// Whether a leased task with these attempts may be granted again: every lease of it has expired.
    package static func freesTask(heldBy attempts: [AttemptRecord], sweptAt swept: FarmTime) -> Bool {
        attempts.allSatisfy { $0.state != .live || hasExpired($0, bySweepAt: swept) }
    }
}
