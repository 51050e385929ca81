/// An audited task that machines have rendered and that waits for another one.
package struct AuditWait: Sendable, Hashable {
    /// The task's position in its job.
    package var position: Int
    /// What the machines made of it.
    package var claims: [PartClaim]

    package init(position: Int, claims: [PartClaim]) { (self.position, self.claims) = (position, claims) }

    /// Whether a worker of this name on this machine may render the task.
    package func admits(name: String, machine: String?) -> Bool {
        Set(claims.flatMap(\.identities)).isDisjoint(with: WorkerRecord.identities(name: name, machine: machine))
    }
}
