import CompositionModel
import Planning

/// The body of `POST /v1/workers`. The answer is 201 with ``WorkerRegistered``, or 409 `version_mismatch` when the
/// versions differ from the coordinator's.
package struct WorkerRegistration: Sendable, Hashable, Codable {
    /// The worker's name in lists; several workers may share one.
    package var name: String
    /// The kinds of tasks that the worker does.
    package var kinds: [TaskKind]
    /// The number of tasks that the worker runs at a time, at least 1.
    package var slots: Int
    /// The version of the worker's renderer.
    package var rendererVersion: Int
    /// The library versions by name, such as `libavcodec: 59.37.100`. A worker whose set differs from the coordinator's
    /// is refused.
    package var libraries: [String: String]
    /// The name of the machine that the worker runs on: workers with one name of it do not audit each other. Nil when it is
    /// not known; then only the workers' names tell them apart.
    package var machine: String?
    /// The worker's tags, which jobs may require; nil for none.
    package var tags: [String]?
    /// The memory of the machine in bytes; nil when it is not known.
    package var memoryBytes: Int64?

    package init(
        name: String,
        kinds: [TaskKind],
        slots: Int,
        rendererVersion: Int,
        libraries: [String: String],
        machine: String? = nil,
        tags: [String]? = nil,
        memoryBytes: Int64? = nil
    ) {
        self.name = name
        self.kinds = kinds
        self.slots = slots
        self.rendererVersion = rendererVersion
        self.libraries = libraries
        self.machine = machine
        self.tags = tags
        self.memoryBytes = memoryBytes
    }
}

/// The answer to a ``WorkerRegistration``.
package struct WorkerRegistered: Sendable, Hashable, Codable {
    /// The worker's identifier, new for every registration.
    package var worker: WorkerID
    /// The length of a lease, in milliseconds.
    package var leaseMilliseconds: Int
    /// The time between two heartbeats, in milliseconds.
    package var heartbeatMilliseconds: Int
    /// Whether the worker is asked to probe what clients send to the farm's bucket (``ProbePoll``); nil for no.
    package var probes: Bool?

    package init(worker: WorkerID, leaseMilliseconds: Int, heartbeatMilliseconds: Int, probes: Bool? = nil) {
        self.worker = worker
        self.leaseMilliseconds = leaseMilliseconds
        self.heartbeatMilliseconds = heartbeatMilliseconds
        self.probes = probes
    }
}
