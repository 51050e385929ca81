import CompositionModel
import Foundation
import Planning
import Timing

/// Rows of `GET /v1/workers`.
public struct WorkerView: Sendable, Hashable, Codable {
    public var id: WorkerID
    public var name: String
    public var slots: Int
    public var isDraining: Bool
    /// Seconds since it was last heard of, by the database's clock.
    public var secondsSinceSeen: Double
    public var running: Int
    public var completed: Int
    public var failed: Int

    public init(
        id: WorkerID,
        name: String,
        slots: Int,
        isDraining: Bool,
        secondsSinceSeen: Double,
        running: Int,
        completed: Int,
        failed: Int
    ) {
        self.id = id
        self.name = name
        self.slots = slots
        self.isDraining = isDraining
        self.secondsSinceSeen = secondsSinceSeen
        self.running = running
        self.completed = completed
        self.failed = failed
    }
}
