package import CompositionModel
package import Planning
package import Timing
package import WireProtocol

/// One task of a ``NewJob``. Its kind is that of its payload.
package struct NewTask: Sendable, Hashable {
    /// The position: segments in order of time from 0, then sound, then stitch.
    package var position: Int
    /// The stage: its tasks are grantable once every task of all earlier stages is completed.
    package var stage: Int
    /// Whether the task is grantable from the first, whatever its stage; later stages wait for it all the same.
    package var isIndependent: Bool
    /// The work itself.
    package var payload: TaskPayload
    /// The frames of the output that the task is about, for people; nil for the whole output.
    package var frames: FrameRange?
    /// The reason why the segment begins where it does; nil for other tasks.
    package var startBorder: BorderReason?
    /// The reason why the segment ends where it does; nil for other tasks.
    package var endBorder: BorderReason?
    /// The digest of everything that the bytes depend on: equal keys give equal bytes. Nil when it is not known, as for
    /// stitch.
    package var key: ContentDigest?
    /// The cost in milliseconds of one idle core, at least 1. It orders the queue and weighs the progress, and decides
    /// nothing else.
    package var costMilliseconds: Int64

    /// Makes a task that can be stored.
    package init(
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

    /// The number of frames that are copied from sources; nil where the output asks for no copies, and for other tasks.
    package var copiedCount: Int64? {
        guard case .picture(let task) = payload, task.encoding.copies == true else { return nil }
        return task.copiedCount
    }

    /// Whether the task is one of those that are audited.
    func isAudited(in job: JobID, _ share: AuditShare?) -> Bool {
        guard let share, AuditChoice.audits(kind) else { return false }
        return AuditChoice.chooses(position, of: job, share)
    }

    /// The kind of work, which is that of the payload.
    package var kind: TaskKind { payload.kind }
}
