public import CompositionModel
public import Foundation
import Planning
import Timing

public struct AttemptView: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case live, completed, failed, released, superseded, cancelled
    }

    public var id: AttemptID
    public var worker: WorkerID?
    public var workerName: String
    public var state: State
    public var started: Date
    public var ended: Date?
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
