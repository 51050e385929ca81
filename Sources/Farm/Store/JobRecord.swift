public import Timing
public import CompositionModel
public import WireProtocol

/// The row of a job. A value: ``JobMachine`` changes it, a store reads and writes it.
public struct JobRecord: Sendable, Hashable {
    // Fixed at insertion.
    public var id: JobID
    public var owner: String
    public var idempotencyKey: String
    public var title: String
    public var preset: String
    public var fileExtension: String
    public var priority: Int
    public var frameCount: Int64
    public var frameRate: FrameRate
    public var created: FarmTime
    // Changed by the machine.
    public var state: JobState
    public var failure: Failure?
    public var finished: FarmTime?
    /// Tasks of each stage that are not completed, by stage from 0.
    public var remaining: [Int]
    /// Of the last task of the last stage, once the job is completed.
    public var artifact: ContentDigest?
    public var byteCount: Int64?

    public init(
        id: JobID,
        owner: String,
        idempotencyKey: String,
        title: String,
        preset: String,
        fileExtension: String,
        priority: Int,
        frameCount: Int64,
        frameRate: FrameRate,
        created: FarmTime,
        state: JobState = .queued,
        failure: Failure? = nil,
        finished: FarmTime? = nil,
        remaining: [Int],
        artifact: ContentDigest? = nil,
        byteCount: Int64? = nil
    ) {
        self.id = id
        self.owner = owner
        self.idempotencyKey = idempotencyKey
        self.title = title
        self.preset = preset
        self.fileExtension = fileExtension
        self.priority = priority
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.created = created
        self.state = state
        self.failure = failure
        self.finished = finished
        self.remaining = remaining
        self.artifact = artifact
        self.byteCount = byteCount
    }

    /// The row that `job` begins with.
    public init(_ job: NewJob, id: JobID, created: FarmTime) {
        var remaining = [Int](repeating: 0, count: (job.tasks.map(\.stage).max() ?? -1) + 1)
        for task in job.tasks { remaining[task.stage] += 1 }
        self.init(
            id: id,
            owner: job.owner,
            idempotencyKey: job.idempotencyKey,
            title: job.title,
            preset: job.preset,
            fileExtension: job.fileExtension,
            priority: job.priority,
            frameCount: job.frameCount,
            frameRate: job.frameRate,
            created: created,
            remaining: remaining
        )
    }

    /// The only stage whose tasks may be granted, beside those that are independent: the first with an unfinished task;
    /// nil when there is none or the job is final.
    public var openStage: Int? { state.isFinal ? nil : remaining.firstIndex { $0 > 0 } }
}
