import CompositionModel
package import Foundation
import Planning
import Timing

/// One event of `GET /v1/jobs/{id}/events` and `GET /v1/events`. The streams are server-sent events whose `id:` is
/// ``sequence``, so that `Last-Event-ID` resumes without a gap.
package struct JobEvent: Sendable, Hashable, Codable {
    /// The event's position among all events of the farm; it ascends.
    package var sequence: Int64
    /// The job that changed, or whose task changed.
    package var job: JobID
    /// The task that changed; nil when the job itself changed.
    package var task: TaskID?
    /// The new state of the task, or of the job when ``task`` is nil: a raw value of ``TaskState`` or ``JobState``; or
    /// ``late``, or ``delivered``.
    package var state: String
    /// The time of the change, by the database's clock.
    package var at: Date

    /// The ``state`` of the one event of a job that misses its deadline, or will.
    package static let late = "late"

    /// The ``state`` of the one event of a job whose movie the coordinator has put where it was to go.
    package static let delivered = "delivered"

    package init(sequence: Int64, job: JobID, task: TaskID?, state: String, at: Date) {
        self.sequence = sequence
        self.job = job
        self.task = task
        self.state = state
        self.at = at
    }
}
