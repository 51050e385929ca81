/// The answer to `GET /v1/jobs:summary`: the number of jobs of each kind that a list shows. Every job counts once.
package struct JobSummary: Sendable, Hashable, Codable {
    /// The number of jobs that failed.
    package var failed: Int
    /// The number of jobs of which a task was granted and that are not final, also while their parts are joined; without
    /// those that are paused.
    package var rendering: Int
    /// The number of jobs of which nothing has begun; without those that are paused.
    package var queued: Int
    /// The number of jobs that are completed.
    package var completed: Int
    /// The number of jobs that were cancelled.
    package var cancelled: Int
    /// The number of paused jobs that are not final.
    package var paused: Int

    package init(
        failed: Int = 0,
        rendering: Int = 0,
        queued: Int = 0,
        completed: Int = 0,
        cancelled: Int = 0,
        paused: Int = 0
    ) {
        self.failed = failed
        self.rendering = rendering
        self.queued = queued
        self.completed = completed
        self.cancelled = cancelled
        self.paused = paused
    }

    /// Counts `count` more jobs.
    package mutating func add(_ state: JobState, isPaused: Bool, count: Int = 1) {
        switch state {
        case .failed: failed += count
        case .completed: completed += count
        case .cancelled: cancelled += count
        case .queued where !isPaused: queued += count
        case .rendering where !isPaused, .stitching where !isPaused: rendering += count
        case .queued, .rendering, .stitching: paused += count
        }
    }
}
