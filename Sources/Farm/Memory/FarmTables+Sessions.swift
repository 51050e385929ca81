package import CompositionModel

extension FarmTables {
    /// Notes that a session has ended (``FarmStore/endSession(_:expires:)``).
    package mutating func endSession(_ session: ContentDigest, expires: FarmTime, at now: FarmTime) {
        let oldest = FarmTables.oldestSession(at: now)
        endedSessions = endedSessions.filter { $0.value >= oldest }
        endedSessions[session] = expires
    }

    /// Whether a session was ended before its time.
    package func hasEnded(_ session: ContentDigest) -> Bool { endedSessions[session] != nil }

    /// The expiry before which an ended session is forgotten: a day ago, because clocks of coordinators differ.
    package static func oldestSession(at now: FarmTime) -> FarmTime { now.adding(milliseconds: -86_400_000) }
}
