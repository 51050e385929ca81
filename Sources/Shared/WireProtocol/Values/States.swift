/// The kind of work that a task is.
package enum TaskKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Renders and encodes the pictures of one segment.
    case picture
    /// Mixes and encodes the sound of the output, or a piece of it.
    case sound
    /// Renders frames to images.
    case stills
    /// Measures the loudness of a piece of a mix, or its waveform.
    case measure
    /// Joins, verifies and stores the output. Only coordinators do it.
    case stitch
}

/// The state of a task, which follows from its attempts.
package enum TaskState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The task waits for a worker, or for its stage to open.
    case queued
    /// At least one attempt is live.
    case leased
    /// An artifact was accepted.
    case completed
    /// The task was given up.
    case failed
    /// The task's job ended before the task did.
    case cancelled

    /// Whether the task never changes again.
    package var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}

/// The state of a job, which follows from its tasks.
package enum JobState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The job is accepted, and no task was leased yet.
    case queued
    /// At least one task was leased.
    case rendering
    /// All picture and sound is accepted; the output is being joined and verified.
    case stitching
    /// The product is stored.
    case completed
    /// A task was given up.
    case failed
    /// A client cancelled the job.
    case cancelled

    /// Whether the job never changes again.
    package var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
