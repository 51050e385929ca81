package import CompositionModel
package import Planning
package import Timing
package import WireProtocol

/// The row of a task without its payload. It is a value: ``TaskMachine`` changes it, a store reads and writes it.
package struct TaskRecord: Sendable, Hashable {
    // Fixed at insertion.
    /// The identifier; identifiers sort by time.
    package var id: TaskID
    /// The job of the task.
    package var job: JobID
    /// The position among the job's tasks, from 0.
    package var position: Int
    /// The kind of work.
    package var kind: TaskKind
    /// The stage, as ``NewTask/stage``.
    package var stage: Int
    /// Whether the task waits for no stage, as ``NewTask/isIndependent``.
    package var isIndependent: Bool
    /// The frames of the output that the task is about, for people; nil for the whole output.
    package var frames: FrameRange?
    /// The number of ``frames`` that are copied from sources; nil where the job asks for no copies, and for other
    /// tasks.
    package var copiedCount: Int64?
    /// The reason why the segment begins where it does; nil for other tasks.
    package var startBorder: BorderReason?
    /// The reason why the segment ends where it does; nil for other tasks.
    package var endBorder: BorderReason?
    /// The digest of everything that the bytes depend on; nil when it is not known.
    package var key: ContentDigest?
    /// The cost in milliseconds of one idle core, at least 1.
    package var costMilliseconds: Int64
    /// Whether two machines must make the same of the task before that is accepted.
    package var isAudited: Bool
    // Changed by the machine.
    /// The state, which follows from those of the attempts.
    package var state: TaskState
    /// The time before which the task is not granted, after a failure. It has a meaning only while the task is queued.
    package var notBefore: FarmTime
    /// The time from which attempts count, because somebody retried the job then; nil counts all.
    package var countedFrom: FarmTime?
    /// The reason why the task was given up; nil while it is not.
    package var failure: Failure?
    /// The artifact that was accepted; nil before.
    package var artifact: ContentDigest?
    /// The length of the artifact; nil before one was accepted.
    package var byteCount: Int64?
    /// The number of frames or samples in the artifact; nil before one was accepted.
    package var unitCount: Int64?
    /// The cost of the attempt that completed the task, or that made the part which it took; nil before.
    package var statistics: TaskStatistics?
    /// Whether the artifact is a part that was there already, and not an attempt's.
    package var isTaken: Bool
    /// What machines have made of an audited task so far, each something else or the first; empty once it is completed.
    package var claims: [PartClaim]

    /// Makes a row of the given values; a new task is queued.
    package init(
        id: TaskID,
        job: JobID,
        position: Int,
        kind: TaskKind,
        stage: Int,
        isIndependent: Bool = false,
        frames: FrameRange?,
        copiedCount: Int64? = nil,
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
        statistics: TaskStatistics? = nil,
        isTaken: Bool = false,
        countedFrom: FarmTime? = nil,
        isAudited: Bool = false,
        claims: [PartClaim] = []
    ) {
        self.id = id
        self.job = job
        self.position = position
        self.kind = kind
        self.stage = stage
        self.isIndependent = isIndependent
        self.frames = frames
        self.copiedCount = copiedCount
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
        self.isTaken = isTaken
        self.countedFrom = countedFrom
        self.isAudited = isAudited
        self.claims = claims
    }

    /// Makes the row with which `task` begins.
    /// - Parameter audit: the share of the job's tasks that is audited.
    package init(_ task: NewTask, id: TaskID, job: JobID, created: FarmTime, audit: AuditShare? = nil) {
        self.init(
            id: id,
            job: job,
            position: task.position,
            kind: task.kind,
            stage: task.stage,
            isIndependent: task.isIndependent,
            frames: task.frames,
            copiedCount: task.copiedCount,
            startBorder: task.startBorder,
            endBorder: task.endBorder,
            key: task.key,
            costMilliseconds: task.costMilliseconds,
            notBefore: created,
            isAudited: task.isAudited(in: job, audit)
        )
    }

    /// Whether what an attempt came to counts: not what was before the job was retried.
    package func counts(_ attempt: AttemptRecord) -> Bool { countedFrom.map { attempt.started >= $0 } ?? true }

    /// Whether the task may be granted as far as its job goes: its other tasks, a pause, the jobs it awaits, and the window,
    /// which holds no joining back. A store keeps it in a column of its own, for its candidate query.
    package func isOpen(in job: JobRecord) -> Bool {
        guard let open = job.openStage, !job.isPaused, job.awaitedJobs.isEmpty,
            kind == .stitch || !job.isOutsideWindow
        else { return false }
        return isIndependent || stage == open
    }

    /// Whether the task may be granted at `now` as far as its job goes: it is open, and the job's window is not about to
    /// change.
    package func mayBegin(in job: JobRecord, at now: FarmTime) -> Bool {
        isOpen(in: job) && (kind == .stitch || !job.isWindowDue(at: now))
    }
}
