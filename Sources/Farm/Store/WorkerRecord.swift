public import WireProtocol

/// The row of a worker.
public struct WorkerRecord: Sendable, Hashable {
    /// The identifier; every registration has a new one.
    public var id: WorkerID
    /// The name for lists; several workers may share it.
    public var name: String
    /// The kinds of tasks that the worker does.
    public var kinds: [TaskKind]
    /// The number of tasks at a time.
    public var slots: Int
    /// The version of the worker's renderer.
    public let rendererVersion: Int
    /// The versions of the worker's libraries, by name.
    public let libraries: [String: String]
    /// The versions of renderer and libraries, as tasks name them.
    public let versions: RenderVersions
    /// The time when the worker last registered, polled, renewed, completed, failed or released.
    public var lastSeen: FarmTime
    /// Whether the worker takes nothing new, because ``FarmStore/drain(_:)`` asked for it.
    public var isDraining: Bool
    /// Whether the worker said goodbye.
    public var hasLeft: Bool
    /// The number of tasks that the worker failed and another then completed.
    public var provenFailures: Int

    /// Makes a row of the given values.
    public init(
        id: WorkerID,
        name: String,
        kinds: [TaskKind],
        slots: Int,
        rendererVersion: Int,
        libraries: [String: String],
        lastSeen: FarmTime,
        isDraining: Bool = false,
        hasLeft: Bool = false,
        provenFailures: Int = 0
    ) {
        self.id = id
        self.name = name
        self.kinds = kinds
        self.slots = slots
        self.rendererVersion = rendererVersion
        self.libraries = libraries
        versions = RenderVersions(renderer: rendererVersion, libraries: libraries)
        self.lastSeen = lastSeen
        self.isDraining = isDraining
        self.hasLeft = hasLeft
        self.provenFailures = provenFailures
    }

    /// Makes the row of a worker that has just registered.
    public init(_ registration: WorkerRegistration, id: WorkerID, registered: FarmTime) {
        self.init(
            id: id,
            name: registration.name,
            kinds: registration.kinds,
            slots: registration.slots,
            rendererVersion: registration.rendererVersion,
            libraries: registration.libraries,
            lastSeen: registered
        )
    }
}
