package import Foundation

/// The answer to `GET /v1/jobs/{id}/history`: how many frames were rendered when, by the attempts whose parts were
/// accepted and by those that are under way, as far as they are still known.
package struct JobHistory: Sendable, Hashable, Codable {
    /// The frames that were rendered in an interval, which begins where that of the sample before ends.
    package struct Sample: Sendable, Hashable, Codable {
        /// The end of the interval, by the database's clock.
        package var at: Date
        /// The number of frames of the output. The frames of a part count evenly over the time in which it was rendered,
        /// so this is no whole number.
        package var frames: Double

        package init(at: Date, frames: Double) {
            self.at = at
            self.frames = frames
        }
    }

    /// At most 121 samples in order of time, of equal intervals. The first has no frames and is where the first interval
    /// begins; empty when nothing was rendered.
    package var samples: [Sample]

    package init(samples: [Sample]) { self.samples = samples }
}
