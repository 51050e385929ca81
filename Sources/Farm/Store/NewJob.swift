package import CompositionModel
package import Foundation
package import Planning
package import Timing
package import WireProtocol

/// A job as planned, to be stored with all its tasks in one transaction.
package struct NewJob: Sendable, Hashable {
    /// The key of the submission: with the same owner and the same ``submission`` it gives the job that exists.
    package var idempotencyKey: String
    /// The digest of everything that was submitted; nil compares with nothing.
    package var submission: ContentDigest?
    /// Whether the key was made of what is submitted: then it alone says whether two submissions are the same. It is not
    /// stored.
    package var keyCoversContent: Bool
    /// The name that belongs to the token by which it was submitted.
    package var owner: String
    /// The title for people, usually the name of the edit's file.
    package var title: String
    /// The name of the preset, or of what is measured or made instead of a movie.
    package var preset: String
    /// The extension of the output's name without a dot, such as `mp4`.
    package var fileExtension: String
    /// The priority: higher goes first; 0 is normal.
    package var priority: Int
    /// The number of frames of the output.
    package var frameCount: Int64
    /// The frame rate of the timeline.
    package var frameRate: FrameRate
    /// What is copied and not encoded; nil where the output asks for no copies.
    package var copying: CopyingShare?
    /// The hours in which work of the job may begin; nil is always.
    package var window: JobWindow?
    /// The jobs that must be completed before anything of this one is granted, at most ``mostEarlierJobs``.
    package var afterJobs: [JobID]
    /// The time until which the job should be completed.
    package var deadline: FarmTime?
    /// The webhook that is told of its events beside those of its owner and of the farm; nil for none. A store without
    /// webhooks keeps none.
    package var webhook: WebhookID?
    /// The job's trace; nil for none. A store without traces keeps none.
    package var trace: JobTrace?
    /// Where the coordinator puts the movie by itself; nil leaves it to be fetched.
    package var delivery: NewDelivery?
    /// The share of the tasks whose parts two machines render; nil for none.
    package var audit: AuditShare?
    /// What a worker must have to be granted its tasks, but for the joining.
    package var requirements: Requirements
    /// The composition as canonical JSON, kept for the record and for the stitcher.
    package var composition: Data
    /// The render plan as JSON.
    package var plan: Data
    /// The tasks, at least one, with distinct positions.
    package var tasks: [NewTask]

    /// The most jobs after which one job may begin.
    package static let mostEarlierJobs = 100

    /// Makes a job that can be stored.
    package init(
        idempotencyKey: String,
        submission: ContentDigest? = nil,
        keyCoversContent: Bool = false,
        owner: String,
        title: String,
        preset: String,
        fileExtension: String,
        priority: Int = 0,
        frameCount: Int64,
        frameRate: FrameRate,
        copying: CopyingShare? = nil,
        window: JobWindow? = nil,
        afterJobs: [JobID] = [],
        deadline: FarmTime? = nil,
        audit: AuditShare? = nil,
        requirements: Requirements = .none,
        delivery: NewDelivery? = nil,
        composition: Data,
        plan: Data,
        tasks: [NewTask]
    ) {
        self.idempotencyKey = idempotencyKey
        self.submission = submission
        self.keyCoversContent = keyCoversContent
        self.owner = owner
        self.title = title
        self.preset = preset
        self.fileExtension = fileExtension
        self.priority = priority
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.copying = copying
        self.window = window
        self.afterJobs = afterJobs
        self.deadline = deadline
        self.delivery = delivery
        self.audit = audit
        self.requirements = requirements
        self.composition = composition
        self.plan = plan
        self.tasks = tasks
    }
}
