package import CompositionModel

/// A worker's question for an object of the farm's bucket that is to be read back and probed.
package struct ProbePoll: Codable, Sendable, Hashable {
    /// What the worker is, as it registered.
    package var registration: WorkerRegistration
    /// The version of the facts that it finds (``AssetFacts/currentVersion``).
    package var factsVersion: Int
    /// The most bytes for which it has room.
    package var byteLimit: Int64
    /// The time that it waits, in milliseconds.
    package var waitMilliseconds: Int

    package init(registration: WorkerRegistration, factsVersion: Int, byteLimit: Int64, waitMilliseconds: Int) {
        self.registration = registration
        self.factsVersion = factsVersion
        self.byteLimit = byteLimit
        self.waitMilliseconds = waitMilliseconds
    }
}

/// The answer to a ``ProbePoll``.
package struct ProbeGrants: Codable, Sendable, Hashable {
    /// What is to be probed; nil when there was nothing in that time.
    package var grant: ProbeGrant?

    package init(grant: ProbeGrant?) { self.grant = grant }
}

/// An object of the farm's bucket that one worker reads back and probes, until it says what it found or is not heard of
/// for a while.
package struct ProbeGrant: Codable, Sendable, Hashable {
    /// The identifier of this grant.
    package var id: ProbeID
    /// The SHA-256 that the bytes are said to have.
    package var digest: ContentDigest
    /// The number of bytes.
    package var byteCount: Int64
    /// The address at which anybody may read them for a quarter of an hour. A renewal gives another one.
    package var address: String
    /// The time between two renewals, in milliseconds.
    package var renewalMilliseconds: Int

    package init(id: ProbeID, digest: ContentDigest, byteCount: Int64, address: String, renewalMilliseconds: Int) {
        self.id = id
        self.digest = digest
        self.byteCount = byteCount
        self.address = address
        self.renewalMilliseconds = renewalMilliseconds
    }
}

/// Why a worker could not probe what it was granted.
package struct ProbeFailure: Codable, Sendable, Hashable {
    /// The failure; a permanent one is the fault of the bytes.
    package var failure: Failure
    /// Whether the worker leaves: then it was no attempt.
    package var isLeaving: Bool

    package init(failure: Failure, isLeaving: Bool = false) { (self.failure, self.isLeaving) = (failure, isLeaving) }
}
