package import CompositionModel
package import WireProtocol

/// A task that could be granted now, as the store's query found it: open (``TaskRecord/isOpen(in:)``), and either
/// queued and due, or leased with every live lease expired.
package struct GrantCandidate: Sendable, Hashable {
    /// The task, which is not granted yet.
    package var task: TaskID
    /// The job of the task.
    package var job: JobID
    /// The owner of the job.
    package var owner: String
    /// The kind of work, which a poll must ask for.
    package var kind: TaskKind
    /// The position among the job's tasks; of those of one stage the first, with which a movie opens, goes first.
    package var position: Int
    /// The job's priority: of the jobs of one owner the higher goes first.
    package var priority: Int
    /// The stage of the task: earlier goes first.
    package var stage: Int
    /// The estimated cost on one idle core: of the others the longest goes first.
    package var costMilliseconds: Int64
    /// The workers of attempts that failed (``AttemptRecord/hasFailed``) or are live and expired, in any order.
    package var failedWorkers: [WorkerID]
    /// The versions that must render the task; nil when the task names none.
    package var versions: RenderVersions?
    /// The task's key; nil for a task whose bytes are its own.
    package var key: ContentDigest?
    /// The identities of the machines that have rendered the task already, because it is audited (``TaskRecord/witnesses``).
    package var witnesses: [String]
    /// What a worker must have to be granted the task.
    package var requirements: Requirements

    /// Makes a candidate from a row of the store's query.
    package init(
        task: TaskID,
        job: JobID,
        owner: String = "",
        kind: TaskKind,
        position: Int,
        priority: Int,
        stage: Int = 0,
        costMilliseconds: Int64,
        failedWorkers: [WorkerID],
        versions: RenderVersions? = nil,
        key: ContentDigest? = nil,
        witnesses: [String] = [],
        requirements: Requirements = .none
    ) {
        self.task = task
        self.job = job
        self.owner = owner
        self.kind = kind
        self.position = position
        self.priority = priority
        self.stage = stage
        self.costMilliseconds = costMilliseconds
        self.failedWorkers = failedWorkers
        self.versions = versions
        self.key = key
        self.witnesses = witnesses
        self.requirements = requirements
    }

    /// Whether `worker` has what the task requires, and may render it as far as its audit goes.
    package func suits(_ worker: WorkerRecord) -> Bool {
        (kind == .stitch || requirements.areMet(by: worker)) && mayBeWitnessed(by: worker)
    }

    /// Whether `worker` may render the task as far as its audit goes.
    package func mayBeWitnessed(by worker: WorkerRecord) -> Bool {
        witnesses.isEmpty || Set(witnesses).isDisjoint(with: worker.identities)
    }

    /// The name of the part that the task makes; nil when it makes none.
    package var partName: PartName? {
        guard let key, let versions else { return nil }
        return PartName(key: key, versions: versions)
    }

    /// Whether `left` comes before `right` in the queue of their owner: `ORDER BY priority DESC, job, stage, position > 0,
    /// cost_milliseconds DESC, position`. Identifiers sort by time, so the older job goes first; within a job what later
    /// stages wait for, and of that the opening, which people look at first, then the longest task.
    package static func precedes(_ left: GrantCandidate, _ right: GrantCandidate) -> Bool {
        if left.priority != right.priority { return left.priority > right.priority }
        if left.job != right.job { return left.job < right.job }
        if left.stage != right.stage { return left.stage < right.stage }
        if (left.position == 0) != (right.position == 0) { return left.position == 0 }
        if left.costMilliseconds != right.costMilliseconds { return left.costMilliseconds > right.costMilliseconds }
        return left.position < right.position
    }
}
