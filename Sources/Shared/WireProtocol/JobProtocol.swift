public import Timing
public import CompositionModel
public import Planning
public import Foundation

// What a client and a coordinator say to each other about jobs, as JSON over HTTP under /v1.

/// `POST /v1/jobs` → 201 ``JobView``; 422 with findings; 409 `asset_missing` naming digests to upload first. The edit's
/// text is compiled and planned by the coordinator before it answers: what is accepted is planned and stored.
public struct JobSubmission: Sendable, Hashable, Codable {
    /// Chosen by the client: the same submission sent twice makes one job.
    public var idempotencyKey: String
    /// The edit or composition as the user wrote it.
    public var editText: String
    /// What to call it in lists: usually the file's name.
    public var title: String
    /// Every `assets` entry of the edit by name → the digest of the bytes it had when it was submitted.
    public var assets: [String: ContentDigest]
    /// Values for the edit's `params`, in place of their defaults; nil is none.
    public var parameters: [String: String]?
    /// Every `assets` entry that is an edit, by name; nil is none.
    public var nested: [String: NestedSubmission]?
    /// Replaces the edit's outputs by this preset.
    public var preset: String?
    /// Which of the edit's outputs, from 0. One job makes one file.
    public var output: Int
    /// `--range`: two times as EDIT.md writes them.
    public var range: [String]?
    /// Higher first; 0 is normal.
    public var priority: Int
    /// `--segments`, for tests: overrides the grid.
    public var segmentCount: Int?
    /// Frames as images in place of a movie.
    public var stills: StillsOrder?
    /// How loud the mix is, or its waveform, in place of a movie.
    public var measure: MeasureOrder?

    public init(
        idempotencyKey: String,
        editText: String,
        title: String,
        assets: [String: ContentDigest],
        parameters: [String: String]? = nil,
        nested: [String: NestedSubmission]? = nil,
        preset: String? = nil,
        output: Int = 0,
        range: [String]? = nil,
        priority: Int = 0,
        segmentCount: Int? = nil,
        stills: StillsOrder? = nil,
        measure: MeasureOrder? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.editText = editText
        self.title = title
        self.assets = assets
        self.parameters = parameters
        self.nested = nested
        self.preset = preset
        self.output = output
        self.range = range
        self.priority = priority
        self.segmentCount = segmentCount
        self.stills = stills
        self.measure = measure
    }
}

/// An edit that a submitted one uses as an asset.
public struct NestedSubmission: Sendable, Hashable, Codable {
    /// As findings call its file.
    public var file: String
    /// As the user wrote it.
    public var editText: String
    /// As ``JobSubmission/parameters``.
    public var parameters: [String: String]?
    /// As ``JobSubmission/assets``.
    public var assets: [String: ContentDigest]
    /// As ``JobSubmission/nested``.
    public var nested: [String: NestedSubmission]?

    public init(
        file: String,
        editText: String,
        parameters: [String: String]? = nil,
        assets: [String: ContentDigest],
        nested: [String: NestedSubmission]? = nil
    ) {
        self.file = file
        self.editText = editText
        self.parameters = parameters
        self.assets = assets
        self.nested = nested
    }
}

/// `GET /v1/jobs/{id}`, and rows of `GET /v1/jobs`.
public struct JobView: Sendable, Hashable, Codable {
    public var id: JobID
    public var title: String
    public var owner: String
    public var state: JobState
    public var failure: Failure?
    public var priority: Int
    public var created: Date
    public var finished: Date?
    public var frameCount: Int64
    public var frameRate: FrameRate
    public var preset: String
    public var fileExtension: String
    public var tasks: TaskCounts
    /// 0 … 1000 over all tasks, by estimated cost.
    public var permille: Int
    /// Of the finished output.
    public var artifact: ContentDigest?
    public var byteCount: Int64?
    /// Such as `renderer 3, libavcodec 59.37.100`: what tasks of the job wait for, because no worker (for joining: no
    /// coordinator) that takes work and was heard of lately has these versions. Nil when nothing waits for that.
    public var awaitedVersions: String?
    /// Warnings about the edit; only in the answer to its submission.
    public var findings: [Finding]?

    public init(
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
        awaitedVersions: String? = nil
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
    }
}

public struct TaskCounts: Sendable, Hashable, Codable {
    public var queued: Int
    public var leased: Int
    public var completed: Int
    public var failed: Int
    public var cancelled: Int

    public init(queued: Int = 0, leased: Int = 0, completed: Int = 0, failed: Int = 0, cancelled: Int = 0) {
        self.queued = queued
        self.leased = leased
        self.completed = completed
        self.failed = failed
        self.cancelled = cancelled
    }

    public var total: Int { queued + leased + completed + failed + cancelled }
}

/// `GET /v1/jobs/{id}/tasks`: ordered by position.
public struct TaskView: Sendable, Hashable, Codable {
    public var id: TaskID
    public var job: JobID
    /// Segments in order of time from 0, then sound, then stitch.
    public var position: Int
    public var kind: TaskKind
    public var state: TaskState
    /// Output frames of a picture task.
    public var frames: FrameRange?
    public var startBorder: BorderReason?
    public var endBorder: BorderReason?
    public var attempts: [AttemptView]
    public var permille: Int
    public var failure: Failure?
    public var artifact: ContentDigest?
    public var statistics: TaskStatistics?

    public init(
        id: TaskID,
        job: JobID,
        position: Int,
        kind: TaskKind,
        state: TaskState,
        frames: FrameRange?,
        startBorder: BorderReason?,
        endBorder: BorderReason?,
        attempts: [AttemptView],
        permille: Int,
        failure: Failure?,
        artifact: ContentDigest?,
        statistics: TaskStatistics?
    ) {
        self.id = id
        self.job = job
        self.position = position
        self.kind = kind
        self.state = state
        self.frames = frames
        self.startBorder = startBorder
        self.endBorder = endBorder
        self.attempts = attempts
        self.permille = permille
        self.failure = failure
        self.artifact = artifact
        self.statistics = statistics
    }
}

public struct AttemptView: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case live, completed, failed, released, superseded, cancelled
    }

    public var id: AttemptID
    public var worker: WorkerID?
    public var workerName: String
    public var state: State
    public var started: Date
    public var ended: Date?
    public var failure: Failure?

    public init(
        id: AttemptID,
        worker: WorkerID?,
        workerName: String,
        state: State,
        started: Date,
        ended: Date?,
        failure: Failure?
    ) {
        self.id = id
        self.worker = worker
        self.workerName = workerName
        self.state = state
        self.started = started
        self.ended = ended
        self.failure = failure
    }
}

/// Rows of `GET /v1/workers`.
public struct WorkerView: Sendable, Hashable, Codable {
    public var id: WorkerID
    public var name: String
    public var slots: Int
    public var isDraining: Bool
    /// Seconds since it was last heard of, by the database's clock.
    public var secondsSinceSeen: Double
    public var running: Int
    public var completed: Int
    public var failed: Int

    public init(
        id: WorkerID,
        name: String,
        slots: Int,
        isDraining: Bool,
        secondsSinceSeen: Double,
        running: Int,
        completed: Int,
        failed: Int
    ) {
        self.id = id
        self.name = name
        self.slots = slots
        self.isDraining = isDraining
        self.secondsSinceSeen = secondsSinceSeen
        self.running = running
        self.completed = completed
        self.failed = failed
    }
}

/// One line of `GET /v1/jobs/{id}/events` and `GET /v1/events` (server-sent events; `id:` is `sequence`, so that
/// `Last-Event-ID` resumes without a gap).
public struct JobEvent: Sendable, Hashable, Codable {
    public var sequence: Int64
    public var job: JobID
    public var task: TaskID?
    /// The new state of the job or of the task.
    public var state: String
    public var at: Date

    public init(sequence: Int64, job: JobID, task: TaskID?, state: String, at: Date) {
        self.sequence = sequence
        self.job = job
        self.task = task
        self.state = state
        self.at = at
    }
}

/// Body of every error: RFC 9457 problem details with a stable `code`.
public struct Problem: Sendable, Hashable, Codable, Error {
    public var status: Int
    /// Such as `lease_lost`, `asset_missing`, `invalid_edit`, `unauthorized`.
    public var code: String
    /// Few words, the same for every case of the code.
    public var title: String
    /// One sentence: what is wrong, where, and what to do.
    public var detail: String
    public var findings: [Finding]?
    /// Digests that must be uploaded first.
    public var missing: [ContentDigest]?

    public init(
        status: Int,
        code: String,
        title: String,
        detail: String,
        findings: [Finding]? = nil,
        missing: [ContentDigest]? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.findings = findings
        self.missing = missing
    }
}
