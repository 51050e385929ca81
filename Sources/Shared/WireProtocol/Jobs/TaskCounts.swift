import CompositionModel
import Foundation
import Planning
import Timing

/// The number of a job's tasks in each ``TaskState``.
package struct TaskCounts: Sendable, Hashable, Codable {
    package var queued: Int
    package var leased: Int
    package var completed: Int
    package var failed: Int
    package var cancelled: Int
    /// The number of completed tasks that were not rendered, because a part of their key was there; nil for none.
    package var taken: Int?

    package init(
        queued: Int = 0,
        leased: Int = 0,
        completed: Int = 0,
        failed: Int = 0,
        cancelled: Int = 0,
        taken: Int = 0
    ) {
        self.queued = queued
        self.leased = leased
        self.completed = completed
        self.failed = failed
        self.cancelled = cancelled
        self.taken = taken == 0 ? nil : taken
    }

    /// The number of all tasks of the job.
    package var total: Int { queued + leased + completed + failed + cancelled }
}
