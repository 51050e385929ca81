public import CompositionModel
public import Foundation
import Planning
import Timing

/// One attempt of a worker at a task, as clients see it.
public struct AttemptView: Sendable, Hashable, Codable {
    /// The state of an attempt. Only a live attempt can complete, fail or release its task.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case live, completed, failed, released, superseded, cancelled
    }

    /// The attempt's identifier, which is also its fencing token.
    public var id: AttemptID
    /// The worker that holds or held the lease; nil when no worker is named.
    public var worker: WorkerID?
    /// The worker's name at the time of the grant.
    public var workerName: String
    /// The attempt's state.
    public var state: State
    /// The time of the grant, by the database's clock.
    public var started: Date
    /// The time at which the attempt ceased to be live; nil while it is live.
    public var ended: Date?
    /// Why the attempt failed, or was superseded after its lease expired; else nil.
    public var failure: Failure?

    public init(
        id: AttemptID,
        worker: WorkerID?,
        workerName: String,
        state: State,
        started: Date,
        ended: Date?,
        failure: Failure?
    ) {
        self.id = id
        self.worker = worker
        self.workerName = workerName
        self.state = state
        self.started = started
        self.ended = ended
        self.failure = failure
    }
}
