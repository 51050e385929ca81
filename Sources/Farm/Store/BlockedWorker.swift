/// A name on the blocklist: no worker of it is granted anything, nor may register, until somebody lifts that.
package struct BlockedWorker: Sendable, Hashable {
    /// The workers' name.
    package var name: String
    /// The reason, as a sentence.
    package var reason: String
    /// The time when it was blocked.
    package var since: FarmTime
    /// Whether an audit found the machine faulty and what it made has still to be withdrawn. Until then nothing is joined.
    package var isFaulty: Bool

    /// Makes a row.
    package init(name: String, reason: String, since: FarmTime, isFaulty: Bool = false) {
        self.name = name
        self.reason = reason
        self.since = since
        self.isFaulty = isFaulty
    }
}
