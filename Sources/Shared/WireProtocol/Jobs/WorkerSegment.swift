package import Timing

/// A picture segment that a worker completed.
package struct WorkerSegment: Sendable, Hashable, Codable {
    /// The segment's job.
    package var job: JobID
    /// The segment's position in its job, from 0.
    package var position: Int
    /// Its frames of the output.
    package var frames: FrameRange

    package init(job: JobID, position: Int, frames: FrameRange) {
        self.job = job
        self.position = position
        self.frames = frames
    }
}
