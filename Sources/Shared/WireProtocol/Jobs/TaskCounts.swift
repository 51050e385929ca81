import CompositionModel
import Foundation
import Planning
import Timing

/// The number of a job's tasks in each ``TaskState``.
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

    /// The number of all tasks of the job.
    public var total: Int { queued + leased + completed + failed + cancelled }
}
