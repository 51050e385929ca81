import CompositionModel
import Planning

/// The body of `POST /v1/workers`. The answer is 201 with ``WorkerRegistered``, or 409 `version_mismatch` when the
/// versions differ from the coordinator's.
public struct WorkerRegistration: Sendable, Hashable, Codable {
    /// The worker's name in lists; several workers may share one.
    public var name: String
    /// The kinds of tasks that the worker does.
    public var kinds: [TaskKind]
    /// The number of tasks that the worker runs at a time, at least 1.
    public var slots: Int
    /// The version of the worker's renderer.
    public var rendererVersion: Int
    /// The library versions by name, such as `libavcodec: 59.37.100`. A worker whose set differs from the coordinator's
    /// is refused.
    public var libraries: [String: String]

    public init(name: String, kinds: [TaskKind], slots: Int, rendererVersion: Int, libraries: [String: String]) {
        self.name = name
        self.kinds = kinds
        self.slots = slots
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}

/// The answer to a ``WorkerRegistration``.
public struct WorkerRegistered: Sendable, Hashable, Codable {
    /// The worker's identifier, new for every registration.
    public var worker: WorkerID
    /// The length of a lease, in milliseconds.
    public var leaseMilliseconds: Int
    /// The time between two heartbeats, in milliseconds.
    public var heartbeatMilliseconds: Int

    public init(worker: WorkerID, leaseMilliseconds: Int, heartbeatMilliseconds: Int) {
        self.worker = worker
        self.leaseMilliseconds = leaseMilliseconds
        self.heartbeatMilliseconds = heartbeatMilliseconds
    }
}
