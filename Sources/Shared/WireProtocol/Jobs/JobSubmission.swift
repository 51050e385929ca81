package import CompositionModel
package import Foundation
import Planning
import Timing

/// The body of `POST /v1/jobs`. The answer is 201 with a ``JobView``, 422 with findings, or 409 `asset_missing` with
/// the digests to upload first. The coordinator compiles and plans the edit before it answers, so that every accepted
/// job is planned and stored.
package struct JobSubmission: Sendable, Hashable, Codable {
    /// The client's name for this submission: the same key sent twice makes one job.
    package var idempotencyKey: String
    /// True when the key was made of all that the submission says, but for what may differ when it is sent again: the
    /// day in its title and its target, and the paths of nested edits. What has the same key is then the same
    /// submission. Nil is false: every word counts.
    package var keyCoversContent: Bool?
    /// The edit or composition as the user wrote it.
    package var editText: String
    /// The job's title in lists, usually the name of the edit's file.
    package var title: String
    /// The digest, at the time of submission, of every `assets` entry of the edit, by the entry's name.
    package var assets: [String: ContentDigest]
    /// The values of the edit's `params`, by name, in place of their defaults; nil keeps all defaults.
    package var parameters: [String: String]?
    /// Every `assets` entry that is itself an edit, by name; nil when there are none.
    package var nested: [String: NestedSubmission]?
    /// The preset that replaces the edit's outputs; nil keeps them.
    package var preset: String?
    /// The position of the output to make among the edit's outputs, from 0. One job makes one file.
    package var output: Int
    /// The value of `--range`: a start and a duration as an edit writes times (docs/time.md). Nil renders what the edit
    /// says.
    package var range: [String]?
    /// Whether coded pictures that nothing touches are copied; nil is false.
    package var copies: Bool?
    /// The asset that the preset `match` follows, which replaces the edit's outputs; nil leaves the choice to the
    /// coordinator.
    package var match: String?
    /// The job's priority: higher goes first; 0 is normal.
    package var priority: Int
    /// The hours in which work of the job may begin; nil is always.
    package var window: JobWindow?
    /// The jobs that must be completed before anything of this one begins; nil when there are none.
    package var afterJobs: [JobID]?
    /// The time until which the job should be completed; nothing happens to one that is not, but that it says so.
    package var deadline: Date?
    /// The address of a webhook of the owner that is told of the job's events; nil for none but those that are told of all.
    package var webhook: String?
    /// The trace that the job belongs to, and the client's span; nil makes a trace. It says nothing about the job: a
    /// submission that is sent again may have another.
    package var traceparent: TraceParent?
    /// Where the coordinator puts the movie by itself; nil leaves it to be fetched.
    package var delivery: DeliveryOrder?
    /// The share of the parts that a second machine renders again, before the output is published; nil for none.
    package var audit: AuditShare?
    /// What a worker must have to be granted tasks of the job, at most ``WorkerRequirement/most``; nil for nothing.
    package var requirements: [WorkerRequirement]?
    /// The value of `--segments`, for tests: the number of equal parts. Nil chooses segments by the grid.
    package var segmentCount: Int?
    /// The product to make.
    package var product: JobProduct

    package init(
        idempotencyKey: String,
        keyCoversContent: Bool? = nil,
        editText: String,
        title: String,
        assets: [String: ContentDigest],
        parameters: [String: String]? = nil,
        nested: [String: NestedSubmission]? = nil,
        preset: String? = nil,
        output: Int = 0,
        range: [String]? = nil,
        copies: Bool? = nil,
        match: String? = nil,
        priority: Int = 0,
        window: JobWindow? = nil,
        afterJobs: [JobID]? = nil,
        deadline: Date? = nil,
        webhook: String? = nil,
        traceparent: TraceParent? = nil,
        delivery: DeliveryOrder? = nil,
        audit: AuditShare? = nil,
        requirements: [WorkerRequirement]? = nil,
        segmentCount: Int? = nil,
        product: JobProduct = .movie
    ) {
        self.idempotencyKey = idempotencyKey
        self.keyCoversContent = keyCoversContent
        self.editText = editText
        self.title = title
        self.assets = assets
        self.parameters = parameters
        self.nested = nested
        self.preset = preset
        self.output = output
        self.range = range
        self.copies = copies
        self.match = match
        self.priority = priority
        self.window = window
        self.afterJobs = afterJobs
        self.deadline = deadline
        self.webhook = webhook
        self.traceparent = traceparent
        self.delivery = delivery
        self.audit = audit
        self.requirements = requirements
        self.segmentCount = segmentCount
        self.product = product
    }
}
