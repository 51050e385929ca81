public import Foundation
public import Timing
public import CompositionModel
public import Planning
public import WireProtocol

/// A job as planned, to be stored with all its tasks in one transaction.
public struct NewJob: Sendable, Hashable {
    /// With `owner`: the same pair again gives the job that exists, whatever else is said.
    public var idempotencyKey: String
    public var owner: String
    public var title: String
    public var preset: String
    /// Without the dot, such as `mp4`.
    public var fileExtension: String
    /// Higher first; 0 is normal.
    public var priority: Int
    public var frameCount: Int64
    public var frameRate: FrameRate
    /// Canonical JSON, kept for the record and for the stitcher.
    public var composition: Data
    public var plan: Data
    /// At least one; positions are distinct.
    public var tasks: [NewTask]

    public init(
        idempotencyKey: String,
        owner: String,
        title: String,
        preset: String,
        fileExtension: String,
        priority: Int = 0,
        frameCount: Int64,
        frameRate: FrameRate,
        composition: Data,
        plan: Data,
        tasks: [NewTask]
    ) {
        self.idempotencyKey = idempotencyKey
        self.owner = owner
        self.title = title
        self.preset = preset
        self.fileExtension = fileExtension
        self.priority = priority
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.composition = composition
        self.plan = plan
        self.tasks = tasks
    }
}

/// One task of a ``NewJob``. Its kind is that of its payload.
public struct NewTask: Sendable, Hashable {
    /// Segments in order of time from 0, then sound, then stitch.
    public var position: Int
    /// Tasks of a stage are grantable once every task of all earlier stages is completed.
    public var stage: Int
    /// It is grantable from the first, whatever its stage; later stages wait for it all the same.
    public var isIndependent: Bool
    public var payload: TaskPayload
    public var frames: FrameRange?
    public var startBorder: BorderReason?
    public var endBorder: BorderReason?
    /// Equal key, equal bytes; nil when it is not known, as for stitch.
    public var key: ContentDigest?
    /// Milliseconds of one idle core, ≥ 1: orders the queue, weighs the progress, decides nothing else.
    public var costMilliseconds: Int64

    public init(
        position: Int,
        stage: Int,
        isIndependent: Bool = false,
        payload: TaskPayload,
        frames: FrameRange? = nil,
        startBorder: BorderReason? = nil,
        endBorder: BorderReason? = nil,
        key: ContentDigest? = nil,
        costMilliseconds: Int64
    ) {
        self.position = position
        self.stage = stage
        self.isIndependent = isIndependent
        self.payload = payload
        self.frames = frames
        self.startBorder = startBorder
        self.endBorder = endBorder
        self.key = key
        self.costMilliseconds = max(1, costMilliseconds)
    }

    public var kind: TaskKind { payload.kind }
}

/// What ``FarmStore/insertJob(_:)`` did.
public struct JobInsertion: Sendable, Hashable {
    public var job: JobView
    /// False: the owner had sent this idempotency key before.
    public var isNew: Bool

    public init(job: JobView, isNew: Bool) {
        self.job = job
        self.isNew = isNew
    }
}

/// What was stored with a job beside its rows.
public struct JobDocuments: Sendable, Hashable {
    public var composition: Data
    public var plan: Data

    public init(composition: Data, plan: Data) {
        self.composition = composition
        self.plan = plan
    }
}
