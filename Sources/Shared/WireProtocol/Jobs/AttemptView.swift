package import CompositionModel
package import Foundation
import Planning
import Timing

/// One attempt of a worker at a task, as clients see it.
package struct AttemptView: Sendable, Hashable, Codable {
    /// The state of an attempt. Only a live attempt can complete, fail or release its task.
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case live, completed, failed, released, superseded, cancelled
        /// It delivered an artifact of an audited task, and another machine's decides about it or has confirmed it.
        case delivered
    }

    /// The attempt's identifier, which is also its fencing token.
    package var id: AttemptID
    /// The worker that holds or held the lease; nil when no worker is named.
    package var worker: WorkerID?
    /// The worker's name at the time of the grant.
    package var workerName: String
    /// The attempt's state.
    package var state: State
    /// The time of the grant, by the database's clock.
    package var started: Date
    /// The time at which the attempt ceased to be live; nil while it is live.
    package var ended: Date?
    /// Why the attempt failed, or was superseded after its lease expired; else nil.
    package var failure: Failure?

    package init(
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
