package import Foundation

/// A task that a worker has under way.
package struct WorkerTask: Sendable, Hashable, Codable {
    /// The attempt that it holds.
    package var attempt: AttemptID
    /// The task.
    package var task: TaskID
    /// The task's job.
    package var job: JobID
    /// The job's title.
    package var title: String
    /// The kind of work.
    package var kind: TaskKind
    /// The task's position in its job, from 0.
    package var position: Int
    /// The progress in thousandths, as last reported.
    package var permille: Int
    /// The time of the grant.
    package var started: Date
    /// The seconds of the output that the task renders; nil for one without frames.
    package var outputSeconds: Double?

    package init(
        attempt: AttemptID,
        task: TaskID,
        job: JobID,
        title: String,
        kind: TaskKind,
        position: Int,
        permille: Int,
        started: Date,
        outputSeconds: Double?
    ) {
        self.attempt = attempt
        self.task = task
        self.job = job
        self.title = title
        self.kind = kind
        self.position = position
        self.permille = permille
        self.started = started
        self.outputSeconds = outputSeconds
    }
}
