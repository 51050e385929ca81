public import WireProtocol

/// The row of a worker.
public struct WorkerRecord: Sendable, Hashable {
    public var id: WorkerID
    public var name: String
    public var kinds: [TaskKind]
    public var slots: Int
    public let rendererVersion: Int
    public let libraries: [String: String]
    /// Both of them, as tasks name them.
    public let versions: RenderVersions
    /// Registered, polled, renewed, completed, failed or released last.
    public var lastSeen: FarmTime
    /// Takes nothing new: asked to by ``FarmStore/drain(_:)``.
    public var isDraining: Bool
    /// Said goodbye.
    public var hasLeft: Bool
    /// Tasks it failed and another worker then completed.
    public var provenFailures: Int

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
