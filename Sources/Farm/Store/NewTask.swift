public import CompositionModel
public import Planning
public import Timing
public import WireProtocol

/// One task of a ``NewJob``. Its kind is that of its payload.
public struct NewTask: Sendable, Hashable {
    /// The position: segments in order of time from 0, then sound, then stitch.
    public var position: Int
    /// The stage: its tasks are grantable once every task of all earlier stages is completed.
    public var stage: Int
    /// Whether the task is grantable from the first, whatever its stage; later stages wait for it all the same.
    public var isIndependent: Bool
    /// The work itself.
    public var payload: TaskPayload
    /// The frames of the output that the task is about, for people; nil for the whole output.
    public var frames: FrameRange?
    /// The reason why the segment begins where it does; nil for other tasks.
    public var startBorder: BorderReason?
    /// The reason why the segment ends where it does; nil for other tasks.
    public var endBorder: BorderReason?
    /// The digest of everything that the bytes depend on: equal keys give equal bytes. Nil when it is not known, as for
    /// stitch.
    public var key: ContentDigest?
    /// The cost in milliseconds of one idle core, at least 1. It orders the queue and weighs the progress, and decides
    /// nothing else.
    public var costMilliseconds: Int64

    /// Makes a task that can be stored.
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

    /// The kind of work, which is that of the payload.
    public var kind: TaskKind { payload.kind }
}
