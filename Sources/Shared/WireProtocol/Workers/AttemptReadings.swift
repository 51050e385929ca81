package import CompositionModel
import Planning

// These types are what a worker and a coordinator say to each other, as JSON over HTTP under /v1. Instants never cross
// the wire to a worker: it receives durations and counts them on its own monotonic clock.

/// The answer to `GET /v1/attempts/{id}/readings`: 200 with the measurements of the stages before the attempt's own, or
/// 409 `lease_lost`.
package struct AttemptReadings: Sendable, Hashable, Codable {
    /// The accepted artifacts of the measuring tasks: one list per stage, in order, each in the order of its tasks.
    package var rounds: [[ContentDigest]]

    package init(rounds: [[ContentDigest]]) { self.rounds = rounds }
}
