package import CompositionModel
package import WireProtocol

/// What one machine made of an audited task, before another one has made the same.
package struct PartClaim: Sendable, Hashable, Codable {
    /// The digest of what it made.
    package var artifact: ContentDigest
    /// The attempt that made it; nil for a part that was there.
    package var attempt: AttemptID?
    /// The worker's name at the time.
    package var workerName: String
    /// What tells its machine from others (``WorkerRecord/identities``).
    package var identities: [String]

    /// The machine that made it; nil when it is not known.
    var machine: String? { WorkerRecord.machine(in: identities) }

    /// Makes a claim.
    package init(artifact: ContentDigest, attempt: AttemptID?, workerName: String, identities: [String]) {
        self.artifact = artifact
        self.attempt = attempt
        self.workerName = workerName
        self.identities = identities
    }
}

extension TaskRecord {
    /// The identities of the machines that have rendered the audited task already: no worker with one of them gets it.
    package var witnesses: [String] { claims.flatMap(\.identities) }

    /// Whether `worker` may render the task as far as its audit goes.
    package func mayBeWitnessed(by worker: WorkerRecord) -> Bool {
        claims.isEmpty || Set(witnesses).isDisjoint(with: worker.identities)
    }
}
