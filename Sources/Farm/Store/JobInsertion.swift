public import WireProtocol

/// The answer of ``FarmStore/insertJob(_:)``.
public struct JobInsertion: Sendable, Hashable {
    /// The job as clients see it.
    public var job: JobView
    /// Whether the job was stored now; otherwise the owner had sent this idempotency key before.
    public var isNew: Bool

    /// Makes the answer.
    public init(job: JobView, isNew: Bool) {
        self.job = job
        self.isNew = isNew
    }
}
