package import CompositionModel
package import WireProtocol

/// A job as it was submitted (``FarmStore/submitted(as:by:)``).
package struct SubmittedJob: Sendable, Hashable {
    /// The digest of the submission; nil for one of a version that kept none.
    package var submission: ContentDigest?
    /// The job as clients see it.
    package var job: JobView

    package init(submission: ContentDigest?, job: JobView) { (self.submission, self.job) = (submission, job) }
}
