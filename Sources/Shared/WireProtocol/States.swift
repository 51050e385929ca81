/// What a render task is for.
public enum TaskKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Render and encode the pictures of one segment.
    case picture
    /// Mix and encode the sound of the whole output.
    case sound
    /// Render some frames to images.
    case stills
    /// Hear a piece of a mix and say how loud it is, or what its waveform is.
    case measure
    /// Join, verify and store the output. Only coordinators do it.
    case stitch
}

public enum TaskState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Also the state of a task whose stage has not come yet.
    case queued
    case leased
    case completed
    case failed
    case cancelled

    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}

public enum JobState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Accepted, nothing leased yet.
    case queued
    /// At least one task was leased.
    case rendering
    /// All picture and sound is accepted; the output is being joined and verified.
    case stitching
    case completed
    case failed
    case cancelled

    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}

/// Why an attempt or a job did not succeed: a stable code and one sentence that says what, where and what to do.
public struct Failure: Sendable, Hashable, Codable {
    /// Such as `asset_truncated`, `render_crashed`, `lease_expired`.
    public var code: String
    public var message: String
    /// Trying again, here or elsewhere, cannot help: the input itself is at fault.
    public var isPermanent: Bool
    /// The source at fault, where it is one. Tasks know sources by their digests; the coordinator puts the edit's names
    /// into the message.
    public var asset: ContentDigest?

    public init(code: String, message: String, isPermanent: Bool, asset: ContentDigest? = nil) {
        self.code = code
        self.message = message
        self.isPermanent = isPermanent
        self.asset = asset
    }
}
