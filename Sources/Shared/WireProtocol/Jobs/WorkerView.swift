import CompositionModel
import Foundation
import Planning
import Timing

/// A worker as clients see it: a row of `GET /v1/workers`.
public struct WorkerView: Sendable, Hashable, Codable {
    /// The identifier, new for every registration.
    public var id: WorkerID
    /// The worker's name; several workers may share one.
    public var name: String
    /// The number of tasks that the worker runs at a time.
    public var slots: Int
    /// Whether the worker was asked to take no new tasks.
    public var isDraining: Bool
    /// The seconds since the worker last sent a request, by the database's clock.
    public var secondsSinceSeen: Double
    /// The number of the worker's live attempts.
    public var running: Int
    /// The number of the worker's attempts that completed a task.
    public var completed: Int
    /// The number of the worker's attempts that failed.
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
