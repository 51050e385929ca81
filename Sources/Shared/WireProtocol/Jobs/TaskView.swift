public import CompositionModel
import Foundation
public import Planning
public import Timing

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
