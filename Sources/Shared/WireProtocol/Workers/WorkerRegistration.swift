import CompositionModel
import Planning

/// `POST /v1/workers` → 201 ``WorkerRegistered``.
public struct WorkerRegistration: Sendable, Hashable, Codable {
    public var name: String
    public var kinds: [TaskKind]
    /// Tasks it runs at a time.
    public var slots: Int
    public var rendererVersion: Int
    /// Libraries by name, such as `libavcodec: 59.37.100`; a worker whose set differs from the coordinator's is
    /// refused.
    public var libraries: [String: String]

    public init(name: String, kinds: [TaskKind], slots: Int, rendererVersion: Int, libraries: [String: String]) {
        self.name = name
        self.kinds = kinds
        self.slots = slots
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}

public struct WorkerRegistered: Sendable, Hashable, Codable {
    public var worker: WorkerID
    public var leaseMilliseconds: Int
    public var heartbeatMilliseconds: Int

    public init(worker: WorkerID, leaseMilliseconds: Int, heartbeatMilliseconds: Int) {
        self.worker = worker
        self.leaseMilliseconds = leaseMilliseconds
        self.heartbeatMilliseconds = heartbeatMilliseconds
    }
}
