package import WireProtocol

/// The row of a worker.
package struct WorkerRecord: Sendable, Hashable {
    /// The identifier; every registration has a new one.
    package var id: WorkerID
    /// The name for lists; several workers may share it.
    package var name: String
    /// The kinds of tasks that the worker does.
    package var kinds: [TaskKind]
    /// The number of tasks at a time.
    package var slots: Int
    /// The version of the worker's renderer.
    package let rendererVersion: Int
    /// The versions of the worker's libraries, by name.
    package let libraries: [String: String]
    /// The versions of renderer and libraries, as tasks name them.
    package let versions: RenderVersions
    /// The name of the machine that the worker runs on; nil when it is not known.
    package let machine: String?
    /// The worker's tags.
    package let tags: [String]
    /// The memory of the machine in bytes; nil when it is not known.
    package let memoryBytes: Int64?
    /// The time when the worker last registered, polled, renewed, completed, failed or released.
    package var lastSeen: FarmTime
    /// Whether the worker takes nothing new, because ``FarmStore/drain(_:)`` asked for it.
    package var isDraining: Bool
    /// Whether the worker said goodbye.
    package var hasLeft: Bool
    /// The number of tasks that the worker failed and another then completed.
    package var provenFailures: Int
    /// The number of its attempts that are completed.
    package var completedAttempts: Int
    /// The number of its attempts that have failed.
    package var failedAttempts: Int
    /// The reason why workers of its name are on the blocklist; nil while they are not.
    package var blocked: String?

    /// Makes a row of the given values.
    package init(
        id: WorkerID,
        name: String,
        kinds: [TaskKind],
        slots: Int,
        rendererVersion: Int,
        libraries: [String: String],
        machine: String? = nil,
        tags: [String] = [],
        memoryBytes: Int64? = nil,
        lastSeen: FarmTime,
        isDraining: Bool = false,
        hasLeft: Bool = false,
        provenFailures: Int = 0,
        completedAttempts: Int = 0,
        failedAttempts: Int = 0,
        blocked: String? = nil
    ) {
        self.id = id
        self.name = name
        self.kinds = kinds
        self.slots = slots
        self.rendererVersion = rendererVersion
        self.libraries = libraries
        self.machine = machine
        self.tags = tags
        self.memoryBytes = memoryBytes
        versions = RenderVersions(renderer: rendererVersion, libraries: libraries)
        self.lastSeen = lastSeen
        self.isDraining = isDraining
        self.hasLeft = hasLeft
        self.provenFailures = provenFailures
        self.completedAttempts = completedAttempts
        self.failedAttempts = failedAttempts
        self.blocked = blocked
    }

    /// Makes the row of a worker that has just registered.
    package init(_ registration: WorkerRegistration, id: WorkerID, registered: FarmTime) {
        self.init(
            id: id,
            name: registration.name,
            kinds: registration.kinds,
            slots: registration.slots,
            rendererVersion: registration.rendererVersion,
            libraries: registration.libraries,
            machine: registration.machine,
            tags: registration.tags ?? [],
            memoryBytes: registration.memoryBytes,
            lastSeen: registered
        )
    }

    /// Counts an attempt of this worker in another state.
    /// - Parameter before: the state in which it was; nil for one that was in none that counts.
    package mutating func count(_ state: AttemptView.State, before: AttemptView.State?) {
        completedAttempts += (state == .completed ? 1 : 0) - (before == .completed ? 1 : 0)
        failedAttempts += (state == .failed ? 1 : 0) - (before == .failed ? 1 : 0)
    }
}
