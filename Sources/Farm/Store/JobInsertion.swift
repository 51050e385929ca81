package import WireProtocol

/// The answer of ``FarmStore/insertJob(_:)``.
package struct JobInsertion: Sendable, Hashable {
    /// The job as clients see it.
    package var job: JobView
    /// Whether the job was stored now; otherwise the owner had sent this idempotency key before.
    package var isNew: Bool

    /// Makes the answer.
    package init(job: JobView, isNew: Bool) {
        self.job = job
        self.isNew = isNew
    }
}
