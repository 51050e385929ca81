package import CompositionModel
import Foundation
package import Planning
package import Timing

/// A task as clients see it: an element of `GET /v1/jobs/{id}/tasks`, which is ordered by position.
package struct TaskView: Sendable, Hashable, Codable {
    /// The task's identifier.
    package var id: TaskID
    /// The job that the task belongs to.
    package var job: JobID
    /// The position among the job's tasks, from 0: segments in order of time, then sound, then stitch.
    package var position: Int
    /// The kind of work.
    package var kind: TaskKind
    /// The task's state.
    package var state: TaskState
    /// The output frames that the task is about; nil for a task of the whole output.
    package var frames: FrameRange?
    /// The number of ``frames`` that are copied from sources; nil unless ``kind`` is `picture` and the job asks for
    /// copies.
    package var copiedCount: Int64?
    /// Why the segment begins where it does; nil unless ``kind`` is `picture`.
    package var startBorder: BorderReason?
    /// Why the segment ends where it does; nil unless ``kind`` is `picture`.
    package var endBorder: BorderReason?
    /// The attempts at the task, in the order of their grants.
    package var attempts: [AttemptView]
    /// The progress in thousandths: 1000 when completed, else the most that a live attempt reported, else 0.
    package var permille: Int
    /// Why the task was given up; nil unless ``state`` is `failed`.
    package var failure: Failure?
    /// The digest of the accepted artifact; nil until the task is completed.
    package var artifact: ContentDigest?
    /// The cost of the attempt that completed the task, or that made the part which it took; nil until then.
    package var statistics: TaskStatistics?
    /// True for a task that was not rendered, because a part of its key was there; else nil.
    package var isTaken: Bool?
    /// True for a task that two machines render before its part is accepted; else nil.
    package var isAudited: Bool?

    package init(
        id: TaskID,
        job: JobID,
        position: Int,
        kind: TaskKind,
        state: TaskState,
        frames: FrameRange?,
        copiedCount: Int64?,
        startBorder: BorderReason?,
        endBorder: BorderReason?,
        attempts: [AttemptView],
        permille: Int,
        failure: Failure?,
        artifact: ContentDigest?,
        statistics: TaskStatistics?,
        isTaken: Bool? = nil,
        isAudited: Bool? = nil
    ) {
        self.id = id
        self.job = job
        self.position = position
        self.kind = kind
        self.state = state
        self.frames = frames
        self.copiedCount = copiedCount
        self.startBorder = startBorder
        self.endBorder = endBorder
        self.attempts = attempts
        self.permille = permille
        self.failure = failure
        self.artifact = artifact
        self.statistics = statistics
        self.isTaken = isTaken
        self.isAudited = isAudited
    }
}
