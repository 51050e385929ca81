public import CompositionModel
public import Foundation
import Planning
public import Timing

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
