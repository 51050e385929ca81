import CompositionModel
public import Foundation
import Planning
import Timing

/// One line of `GET /v1/jobs/{id}/events` and `GET /v1/events` (server-sent events; `id:` is `sequence`, so that
/// `Last-Event-ID` resumes without a gap).
public struct JobEvent: Sendable, Hashable, Codable {
    public var sequence: Int64
    public var job: JobID
    public var task: TaskID?
    /// The new state of the job or of the task.
    public var state: String
    public var at: Date

    public init(sequence: Int64, job: JobID, task: TaskID?, state: String, at: Date) {
        self.sequence = sequence
        self.job = job
        self.task = task
        self.state = state
        self.at = at
    }
}
