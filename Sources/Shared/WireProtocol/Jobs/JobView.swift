package import CompositionModel
package import Foundation
package import Planning
package import Timing

/// A job as clients see it: the answer to `GET /v1/jobs/{id}`, and a row of `GET /v1/jobs`.
package struct JobView: Sendable, Hashable, Codable {
    /// The job's identifier.
    package var id: JobID
    /// The title from the submission, usually the name of the edit's file.
    package var title: String
    /// The name of the token that submitted the job.
    package var owner: String
    /// The job's state.
    package var state: JobState
    /// Why the job failed; nil unless ``state`` is `failed`.
    package var failure: Failure?
    /// The job's priority: higher goes first; 0 is normal.
    package var priority: Int
    /// The time at which the job was stored, by the database's clock.
    package var created: Date
    /// The time at which the job reached a final state; nil before.
    package var finished: Date?
    /// The number of frames of the output, or of ordered stills.
    package var frameCount: Int64
    /// The frame rate of the edit's timeline.
    package var frameRate: FrameRate
    /// The name of the preset, or of what is made in place of a movie.
    package var preset: String
    /// The extension of the output's file name, without a dot.
    package var fileExtension: String
    /// The number of tasks in each state.
    package var tasks: TaskCounts
    /// The progress in thousandths, 0 … 1000, over all tasks, weighted by estimated cost.
    package var permille: Int
    /// The digest of the finished output; nil until the job is completed.
    package var artifact: ContentDigest?
    /// The length of the finished output in bytes; nil until the job is completed.
    package var byteCount: Int64?
    /// The time at which the finished output was removed, because outputs are kept for so long or up to so many bytes; nil
    /// while it is there.
    package var outputRemoved: Date?
    /// The job's trace (W3C Trace Context), 32 hex digits, which log lines about it also have; nil for a job without one.
    package var trace: String?
    /// The versions that tasks of the job wait for, such as `renderer 3, libavcodec 59.37.100`, because no connected
    /// worker (for joining, no coordinator) that accepts work has them. Nil when no task waits for versions.
    package var awaitedVersions: String?
    /// Why nothing of the job begins now, as a sentence; nil while nothing holds it back, and for a final job.
    package var onHold: String?
    /// What is copied and not encoded, and why the rest is encoded; nil where the job asks for no copies.
    package var copying: CopyingShare?
    /// True for a job that ended and of which the tasks and documents are no longer kept; else nil.
    package var isPruned: Bool?
    /// True while nothing new of the job is granted because somebody paused it; else nil.
    package var isPaused: Bool?
    /// The hours in which work of the job may begin; nil is always.
    package var window: JobWindow?
    /// The jobs that must be completed before anything of the job is granted; nil when there are none.
    package var afterJobs: [JobID]?
    /// Those of ``afterJobs`` that are not completed; nil when there are none, and for a final job.
    package var awaitedJobs: [JobID]?
    /// The time at which the ``window`` opens next; nil while it is open, and for a final job.
    package var windowOpens: Date?
    /// The time until which the job should be completed; nil when there is none.
    package var deadline: Date?
    /// What a worker must have to be granted its tasks; nil for nothing.
    package var requirements: [WorkerRequirement]?
    /// How its audit stands; nil for a job that is not audited.
    package var audit: JobAudit?
    /// How the job misses its ``deadline``, or will as it looks now, as words without a full stop; else nil.
    package var deadlineWarning: String?
    /// Where the coordinator puts the movie by itself; nil when it is to be fetched.
    package var delivery: JobDelivery?
    /// The seconds until the job ends if it goes on as in the last 30 seconds; nil when that is not known.
    package var secondsLeft: Double?
    /// The seconds of the output that were rendered per second in the last 30 seconds; nil when nothing is under way, or
    /// it began less than a second ago.
    package var speed: Double?
    /// Why nothing of the job is under way; nil while something is, and for a final job.
    package var waiting: JobWaiting?
    /// The warnings about the edit; nil when there are none, and in every answer except the one to the submission.
    package var findings: [Finding]?

    package init(
        id: JobID,
        title: String,
        owner: String,
        state: JobState,
        failure: Failure?,
        priority: Int,
        created: Date,
        finished: Date?,
        frameCount: Int64,
        frameRate: FrameRate,
        preset: String,
        fileExtension: String,
        tasks: TaskCounts,
        permille: Int,
        artifact: ContentDigest?,
        byteCount: Int64?,
        awaitedVersions: String? = nil,
        copying: CopyingShare? = nil,
        isPruned: Bool? = nil,
        isPaused: Bool? = nil,
        window: JobWindow? = nil,
        afterJobs: [JobID]? = nil,
        awaitedJobs: [JobID]? = nil,
        windowOpens: Date? = nil,
        deadline: Date? = nil,
        audit: JobAudit? = nil,
        requirements: [WorkerRequirement]? = nil,
        delivery: JobDelivery? = nil
    ) {
        self.id = id
        self.title = title
        self.owner = owner
        self.state = state
        self.failure = failure
        self.priority = priority
        self.created = created
        self.finished = finished
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.preset = preset
        self.fileExtension = fileExtension
        self.tasks = tasks
        self.permille = permille
        self.artifact = artifact
        self.byteCount = byteCount
        self.awaitedVersions = awaitedVersions
        self.copying = copying
        self.isPruned = isPruned
        self.isPaused = isPaused
        self.window = window
        self.afterJobs = afterJobs
        self.awaitedJobs = awaitedJobs
        self.windowOpens = windowOpens
        self.deadline = deadline
        self.delivery = delivery
        self.audit = audit
        self.requirements = requirements
    }
}
