package import WireProtocol

/// What is kept of a job's trace beside the job and its attempts.
package struct JobTrace: Sendable, Hashable {
    /// The trace, and the client's span.
    package let parent: TraceParent
    /// How long receiving, planning and storing took, until the job was stored.
    package let submitMilliseconds: Int64
    /// How long planning took, of that.
    package let planMilliseconds: Int64

    package init(parent: TraceParent, submitMilliseconds: Int64, planMilliseconds: Int64) {
        self.parent = parent
        self.submitMilliseconds = submitMilliseconds
        self.planMilliseconds = planMilliseconds
    }
}
