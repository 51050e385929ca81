package import CompositionModel
package import Planning
package import Timing
package import WireProtocol

/// The row of a job. It is a value: ``JobMachine`` changes it, a store reads and writes it.
package struct JobRecord: Sendable, Hashable {
    // Fixed at insertion.
    /// The identifier; identifiers sort by time.
    package var id: JobID
    /// The name that belongs to the token by which it was submitted.
    package var owner: String
    /// The key by which the same submission is recognised again.
    package var idempotencyKey: String
    /// The digest of everything that was submitted; nil in rows of a version that kept none.
    package var submission: ContentDigest?
    /// The title for people, usually the name of the edit's file.
    package var title: String
    /// The name of the preset, or of what is measured or made instead of a movie.
    package var preset: String
    /// The extension of the output's name, without a dot.
    package var fileExtension: String
    /// The number of frames of the output.
    package var frameCount: Int64
    /// The frame rate of the timeline.
    package var frameRate: FrameRate
    /// What is copied and not encoded; nil where the output asks for no copies.
    package var copying: CopyingShare?
    /// The hours in which work of the job may begin; nil is always.
    package var window: JobWindow?
    /// The jobs that must be completed before anything of this one is granted; they were there before it.
    package var afterJobs: [JobID]
    /// The time until which the job should be completed; nothing happens to one that is not.
    package var deadline: FarmTime?
    /// What a worker must have to be granted its tasks, but for the joining.
    package var requirements: Requirements
    /// Where the movie goes by itself; its place is fixed, and whether it lies there is changed by the machine.
    package var delivery: DeliveryRecord?
    /// The time when the job was stored.
    package var created: FarmTime
    // Changed by the machine.
    /// The priority: higher goes first; 0 is normal.
    package var priority: Int
    /// Whether nothing new of the job is granted until somebody resumes it.
    package var isPaused: Bool
    /// Those of ``afterJobs`` that no sweep has seen completed, in their order.
    package var awaitedJobs: [JobID]
    /// Whether an event has told that the job misses its ``deadline``.
    package var isLateTold: Bool
    /// Whether the ``window`` is closed: nothing new is granted but the joining.
    package var isOutsideWindow: Bool
    /// The time when the ``window`` opens or closes next; nil without a window. Once it has come, nothing but the joining is
    /// granted until a sweep has followed it.
    package var windowChange: FarmTime?
    /// The share of the tasks that is audited, and what came of it; nil for a job that is not audited.
    package var audit: JobAudit?
    /// The state, which follows from those of the tasks.
    package var state: JobState
    /// The reason why the job failed; nil while it has not.
    package var failure: Failure?
    /// The time when the job became final; nil before.
    package var finished: FarmTime?
    /// The number of tasks that are not completed, by stage from 0.
    package var remaining: [Int]
    /// The artifact of the last task of the last stage, once the job is completed; nil before.
    package var artifact: ContentDigest?
    /// The length of the artifact; nil before the job is completed.
    package var byteCount: Int64?

    /// Makes a row of the given values; a new job is queued.
    package init(
        id: JobID,
        owner: String,
        idempotencyKey: String,
        submission: ContentDigest? = nil,
        title: String,
        preset: String,
        fileExtension: String,
        priority: Int,
        frameCount: Int64,
        frameRate: FrameRate,
        copying: CopyingShare? = nil,
        created: FarmTime,
        state: JobState = .queued,
        failure: Failure? = nil,
        finished: FarmTime? = nil,
        remaining: [Int],
        artifact: ContentDigest? = nil,
        byteCount: Int64? = nil,
        isPaused: Bool = false,
        window: JobWindow? = nil,
        afterJobs: [JobID] = [],
        awaitedJobs: [JobID] = [],
        deadline: FarmTime? = nil,
        isLateTold: Bool = false,
        isOutsideWindow: Bool = false,
        windowChange: FarmTime? = nil,
        audit: JobAudit? = nil,
        requirements: Requirements = .none,
        delivery: DeliveryRecord? = nil
    ) {
        self.id = id
        self.owner = owner
        self.idempotencyKey = idempotencyKey
        self.submission = submission
        self.title = title
        self.preset = preset
        self.fileExtension = fileExtension
        self.priority = priority
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.copying = copying
        self.created = created
        self.state = state
        self.failure = failure
        self.finished = finished
        self.remaining = remaining
        self.artifact = artifact
        self.byteCount = byteCount
        self.isPaused = isPaused
        self.window = window
        self.afterJobs = afterJobs
        self.awaitedJobs = awaitedJobs
        self.deadline = deadline
        self.isLateTold = isLateTold
        self.isOutsideWindow = isOutsideWindow
        self.windowChange = windowChange
        self.audit = audit
        self.requirements = requirements
        self.delivery = delivery
    }

    /// Makes the row with which `job` begins. It awaits all jobs that it names.
    package init(_ job: NewJob, id: JobID, created: FarmTime) {
        var remaining = [Int](repeating: 0, count: (job.tasks.map(\.stage).max() ?? -1) + 1)
        for task in job.tasks { remaining[task.stage] += 1 }
        self.init(
            id: id,
            owner: job.owner,
            idempotencyKey: job.idempotencyKey,
            submission: job.submission,
            title: job.title,
            preset: job.preset,
            fileExtension: job.fileExtension,
            priority: job.priority,
            frameCount: job.frameCount,
            frameRate: job.frameRate,
            copying: job.copying,
            created: created,
            remaining: remaining,
            window: job.window,
            afterJobs: job.afterJobs,
            awaitedJobs: job.afterJobs,
            deadline: job.deadline,
            audit: job.audit.map { share in
                JobAudit(share: share, chosen: job.tasks.count { $0.isAudited(in: id, share) })
            },
            requirements: job.requirements,
            delivery: job.delivery.map { DeliveryRecord(target: $0.target, replaces: $0.replaces) }
        )
        setWindow(at: created)
    }

    /// Whether `job`, which has this row's owner and key, is the same submission.
    package func isSame(as job: NewJob) -> Bool {
        guard !job.keyCoversContent, let submission, let other = job.submission else { return true }
        return submission == other
    }

    /// Sets what follows from the window at `now`.
    package mutating func setWindow(at now: FarmTime) {
        let calendar = window.map(WindowCalendar.init)
        isOutsideWindow = calendar?.isOpen(at: now) == false
        windowChange = calendar?.nextChange(after: now)
    }

    /// Whether nothing of the job is granted for the time being, nor its joining.
    package var isStopped: Bool { isPaused || !awaitedJobs.isEmpty }

    /// Whether nothing of the job is granted for the time being, except perhaps its joining.
    package var isHeldBack: Bool { isStopped || isOutsideWindow }

    /// Whether the window has changed by `now`, and no sweep has followed it yet.
    package func isWindowDue(at now: FarmTime) -> Bool { windowChange.map { $0 <= now } ?? false }

    /// The only stage whose tasks may be granted, beside those that are independent: the first with an unfinished task;
    /// nil when there is none or the job is final.
    package var openStage: Int? { state.isFinal ? nil : remaining.firstIndex { $0 > 0 } }
}
