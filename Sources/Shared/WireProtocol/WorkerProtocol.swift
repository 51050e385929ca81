public import CompositionModel
public import Planning

// What a worker and a coordinator say to each other, as JSON over HTTP under /v1. Instants never cross the wire to a
// worker: it is given durations and counts them on its own monotonic clock.

/// `POST /v1/workers` → 201 ``WorkerRegistered``.
public struct WorkerRegistration: Sendable, Hashable, Codable {
    public var name: String
    public var kinds: [TaskKind]
    /// Tasks it runs at a time.
    public var slots: Int
    public var rendererVersion: Int
    /// Libraries by name, such as `libavcodec: 59.37.100`; a worker whose set differs from the coordinator's is
    /// refused.
    public var libraries: [String: String]

    public init(name: String, kinds: [TaskKind], slots: Int, rendererVersion: Int, libraries: [String: String]) {
        self.name = name
        self.kinds = kinds
        self.slots = slots
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}

public struct WorkerRegistered: Sendable, Hashable, Codable {
    public var worker: WorkerID
    public var leaseMilliseconds: Int
    public var heartbeatMilliseconds: Int

    public init(worker: WorkerID, leaseMilliseconds: Int, heartbeatMilliseconds: Int) {
        self.worker = worker
        self.leaseMilliseconds = leaseMilliseconds
        self.heartbeatMilliseconds = heartbeatMilliseconds
    }
}

/// `POST /v1/leases:poll` → 200 ``LeaseGrants`` (empty after `waitMilliseconds` without work).
public struct LeasePoll: Sendable, Hashable, Codable {
    public var worker: WorkerID
    public var poll: PollID
    public var kinds: [TaskKind]
    /// Most leases wanted, ≥ 1.
    public var capacity: Int
    public var waitMilliseconds: Int

    public init(worker: WorkerID, poll: PollID, kinds: [TaskKind], capacity: Int, waitMilliseconds: Int) {
        self.worker = worker
        self.poll = poll
        self.kinds = kinds
        self.capacity = capacity
        self.waitMilliseconds = waitMilliseconds
    }
}

public struct LeaseGrants: Sendable, Hashable, Codable {
    public var grants: [LeaseGrant]

    public init(grants: [LeaseGrant]) { self.grants = grants }
}

public struct LeaseGrant: Sendable, Hashable, Codable {
    public var attempt: AttemptID
    public var task: TaskID
    public var job: JobID
    public var payload: TaskPayload
    public var leaseMilliseconds: Int
    /// No renewal reaches past this: absolute from the grant.
    public var deadlineMilliseconds: Int

    public init(
        attempt: AttemptID,
        task: TaskID,
        job: JobID,
        payload: TaskPayload,
        leaseMilliseconds: Int,
        deadlineMilliseconds: Int
    ) {
        self.attempt = attempt
        self.task = task
        self.job = job
        self.payload = payload
        self.leaseMilliseconds = leaseMilliseconds
        self.deadlineMilliseconds = deadlineMilliseconds
    }
}

/// A task's work by kind, as stored in `task.payload`.
public enum TaskPayload: Sendable, Hashable, Codable {
    case picture(PictureTask)
    case sound(SoundTask)
    case stitch(StitchTask)
    case stills(StillsTask)
    case measure(MeasureTask)

    public var kind: TaskKind {
        switch self {
        case .picture: .picture
        case .sound: .sound
        case .stitch: .stitch
        case .stills: .stills
        case .measure: .measure
        }
    }

    /// Assets that the worker must be able to read.
    public var assets: [ContentDigest] {
        switch self {
        case .picture(let task): task.assets
        case .sound(let task): task.assets
        case .stitch: []
        case .stills(let task): task.picture.assets
        case .measure(let task): task.sound.assets
        }
    }
}

extension TaskPayload {
    /// Whether it can only be done with what was measured of its job before (``AttemptReadings``).
    public var needsReadings: Bool {
        switch self {
        case .sound(let task): task.extent.programme != nil
        case .measure(let task): task.sound.extent.programme != nil
        case .picture, .stitch, .stills: false
        }
    }
}

/// `GET /v1/attempts/{id}/readings` → 200, or 409 `lease_lost`: what measuring in the stages before the attempt's own
/// gave.
public struct AttemptReadings: Sendable, Hashable, Codable {
    /// By stage, of each the accepted artifacts of its measuring tasks by position.
    public var rounds: [[ContentDigest]]

    public init(rounds: [[ContentDigest]]) { self.rounds = rounds }
}

/// `POST /v1/workers/{id}/heartbeat` → 200 ``HeartbeatReply``: renews all leases named.
public struct Heartbeat: Sendable, Hashable, Codable {
    public var attempts: [AttemptProgress]

    public init(attempts: [AttemptProgress]) { self.attempts = attempts }
}

public struct AttemptProgress: Sendable, Hashable, Codable {
    public var attempt: AttemptID
    /// 0 … 1000.
    public var permille: Int

    public init(attempt: AttemptID, permille: Int) {
        self.attempt = attempt
        self.permille = permille
    }
}

public struct HeartbeatReply: Sendable, Hashable, Codable {
    /// Still held; count the lease anew from when the request was sent.
    public var renewed: [AttemptID]
    /// Superseded, cancelled or unknown: stop the work, throw it away, say nothing more of it.
    public var lost: [AttemptID]
    /// Finish what is in hand, take nothing new, then leave.
    public var drain: Bool

    public init(renewed: [AttemptID], lost: [AttemptID], drain: Bool) {
        self.renewed = renewed
        self.lost = lost
        self.drain = drain
    }
}

/// `POST /v1/attempts/{id}/complete`, after the artifact was uploaded → 200 ``CompletionReply``, or 409 `lease_lost`.
public struct TaskCompletion: Sendable, Hashable, Codable {
    public var worker: WorkerID
    public var artifact: ContentDigest
    public var byteCount: Int64
    /// Frames or samples in the artifact.
    public var unitCount: Int64
    public var statistics: TaskStatistics

    public init(
        worker: WorkerID,
        artifact: ContentDigest,
        byteCount: Int64,
        unitCount: Int64,
        statistics: TaskStatistics
    ) {
        self.worker = worker
        self.artifact = artifact
        self.byteCount = byteCount
        self.unitCount = unitCount
        self.statistics = statistics
    }
}

public struct TaskStatistics: Sendable, Hashable, Codable {
    public var wallMilliseconds: Int64
    public var cpuMilliseconds: Int64
    public var peakMemoryBytes: Int64
    /// Bytes of sources that moved over the network for this task.
    public var fetchedBytes: Int64
    /// What is wrong with the sources although the task could be done: each asset once, named as in ``Failure``. Nil
    /// for nothing.
    public private(set) var warnings: [Failure]?

    public init(
        wallMilliseconds: Int64 = 0,
        cpuMilliseconds: Int64 = 0,
        peakMemoryBytes: Int64 = 0,
        fetchedBytes: Int64 = 0
    ) {
        self.wallMilliseconds = wallMilliseconds
        self.cpuMilliseconds = cpuMilliseconds
        self.peakMemoryBytes = peakMemoryBytes
        self.fetchedBytes = fetchedBytes
    }

    /// No child is listened to for longer.
    private static let mostWarnings = 64

    public mutating func add(warning: Failure) {
        guard (warnings ?? []).count < TaskStatistics.mostWarnings else { return }
        warnings = (warnings ?? []) + [warning]
    }

    public mutating func changeWarnings(_ change: (Failure) -> Failure) { warnings = warnings?.map(change) }
}

public struct CompletionReply: Sendable, Hashable, Codable {
    public enum Outcome: String, Sendable, Hashable, Codable {
        case accepted
        /// The same digest was accepted before: the first reply was lost.
        case alreadyDone
    }

    public var outcome: Outcome

    public init(outcome: Outcome) { self.outcome = outcome }
}

/// `POST /v1/attempts/{id}/fail` → 204, or 409 `lease_lost`.
public struct TaskFailure: Sendable, Hashable, Codable {
    public var worker: WorkerID
    public var failure: Failure

    public init(worker: WorkerID, failure: Failure) {
        self.worker = worker
        self.failure = failure
    }
}

/// `POST /v1/workers/{id}/release`: hands leases back at a clean stop, without counting an attempt → 204.
public struct LeaseRelease: Sendable, Hashable, Codable {
    public var attempts: [AttemptID]
    /// The worker is leaving for good.
    public var leaving: Bool

    public init(attempts: [AttemptID], leaving: Bool) {
        self.attempts = attempts
        self.leaving = leaving
    }
}

/// `GET /v1/assets/{sha256}/record`: what a worker needs beside the bytes. SHA-256 of every 1 MiB block (the last one
/// may be shorter), in order; the frame index of each picture stream is an artifact of its own.
public struct AssetRecord: Sendable, Hashable, Codable {
    public static let blockSize: Int64 = 1 << 20

    public var digest: ContentDigest
    public var byteCount: Int64
    public var blocks: [ContentDigest]
    public var facts: AssetFacts?
    /// libavformat stream index → artifact that holds the stream's ``FrameIndex`` in its binary form.
    public var frameIndexes: [Int: ContentDigest]

    public init(
        digest: ContentDigest,
        byteCount: Int64,
        blocks: [ContentDigest],
        facts: AssetFacts?,
        frameIndexes: [Int: ContentDigest]
    ) {
        self.digest = digest
        self.byteCount = byteCount
        self.blocks = blocks
        self.facts = facts
        self.frameIndexes = frameIndexes
    }
}
