public import WireProtocol

/// Which jobs to list. Newest first, by identifier.
public struct JobFilter: Sendable, Hashable {
    /// Nil: of every owner.
    public var owner: String?
    /// Empty: in every state.
    public var states: [JobState]
    /// Only jobs made before this one: the last of the page before.
    public var before: JobID?
    /// At most so many.
    public var limit: Int

    public init(owner: String? = nil, states: [JobState] = [], before: JobID? = nil, limit: Int = 100) {
        self.owner = owner
        self.states = states
        self.before = before
        self.limit = limit
    }
}

/// An asset the farm knows: what workers need beside the bytes, and where the coordinator reads the bytes.
public struct StoredAsset: Sendable, Hashable {
    public var record: AssetRecord
    /// An absolute path on the coordinator's host when the file was registered where it lies; nil when the bytes are
    /// in the artifact store.
    public var path: String?

    public init(record: AssetRecord, path: String? = nil) {
        self.record = record
        self.path = path
    }
}
