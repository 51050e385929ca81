public import Timing
public import CompositionModel
public import Planning
public import WireProtocol

/// The row of a task without its payload. A value: ``TaskMachine`` changes it, a store reads and writes it.
public struct TaskRecord: Sendable, Hashable {
    // Fixed at insertion.
    public var id: TaskID
    public var job: JobID
    public var position: Int
    public var kind: TaskKind
    public var stage: Int
    /// As ``NewTask/isIndependent``.
    public var isIndependent: Bool
    public var frames: FrameRange?
    public var startBorder: BorderReason?
    public var endBorder: BorderReason?
    public var key: ContentDigest?
    public var costMilliseconds: Int64
    // Changed by the machine.
    public var state: TaskState
    /// Not granted earlier than this (backoff); only while queued.
    public var notBefore: FarmTime
    public var failure: Failure?
    public var artifact: ContentDigest?
    public var byteCount: Int64?
    public var unitCount: Int64?
    public var statistics: TaskStatistics?

    public init(
        id: TaskID,
        job: JobID,
        position: Int,
        kind: TaskKind,
        stage: Int,
        isIndependent: Bool = false,
        frames: FrameRange?,
        startBorder: BorderReason?,
        endBorder: BorderReason?,
        key: ContentDigest?,
        costMilliseconds: Int64,
        state: TaskState = .queued,
        notBefore: FarmTime,
        failure: Failure? = nil,
        artifact: ContentDigest? = nil,
        byteCount: Int64? = nil,
        unitCount: Int64? = nil,
        statistics: TaskStatistics? = nil
    ) {
        self.id = id
        self.job = job
        self.position = position
        self.kind = kind
        self.stage = stage
        self.isIndependent = isIndependent
        self.frames = frames
        self.startBorder = startBorder
        self.endBorder = endBorder
        self.key = key
        self.costMilliseconds = costMilliseconds
        self.state = state
        self.notBefore = notBefore
        self.failure = failure
        self.artifact = artifact
        self.byteCount = byteCount
        self.unitCount = unitCount
        self.statistics = statistics
    }

    /// The row that `task` begins with.
    public init(_ task: NewTask, id: TaskID, job: JobID, created: FarmTime) {
        self.init(
            id: id,
            job: job,
            position: task.position,
            kind: task.kind,
            stage: task.stage,
            isIndependent: task.isIndependent,
            frames: task.frames,
            startBorder: task.startBorder,
            endBorder: task.endBorder,
            key: task.key,
            costMilliseconds: task.costMilliseconds,
            notBefore: created
        )
    }

    /// Whether it may be granted as far as the other tasks of its job go. A store keeps it in a column of its own, for
    /// its candidate query.
    public func isOpen(in job: JobRecord) -> Bool {
        guard let open = job.openStage else { return false }
        return isIndependent || stage == open
    }
}
