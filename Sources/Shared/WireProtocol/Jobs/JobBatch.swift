/// The body of `POST /v1/jobs:batch`: jobs that are accepted or refused each by itself.
package struct JobBatch: Sendable, Hashable, Codable {
    /// The most submissions of one batch.
    package static let mostJobs = 200

    /// The submissions, 1 … ``mostJobs``. Each has an idempotency key of its own, so that a batch may be sent again.
    package var jobs: [JobSubmission]

    package init(jobs: [JobSubmission]) { self.jobs = jobs }
}

/// What came of one submission of a ``JobBatch``: a job, or the problem with which it was refused.
package struct JobBatchAnswer: Sendable, Hashable, Codable {
    /// The job, with the warnings about its edit; nil when it was refused.
    package var job: JobView?
    /// Why it was refused, as the answer to `POST /v1/jobs` would say; nil when it was accepted.
    package var problem: Problem?

    package init(job: JobView) { self.job = job }

    package init(problem: Problem) { self.problem = problem }
}
