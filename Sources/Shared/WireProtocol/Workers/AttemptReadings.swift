public import CompositionModel
import Planning

// What a worker and a coordinator say to each other, as JSON over HTTP under /v1. Instants never cross the wire to a
// worker: it is given durations and counts them on its own monotonic clock.

/// `GET /v1/attempts/{id}/readings` → 200, or 409 `lease_lost`: what measuring in the stages before the attempt's own
/// gave.
public struct AttemptReadings: Sendable, Hashable, Codable {
    /// By stage, of each the accepted artifacts of its measuring tasks by position.
    public var rounds: [[ContentDigest]]

    public init(rounds: [[ContentDigest]]) { self.rounds = rounds }
}
