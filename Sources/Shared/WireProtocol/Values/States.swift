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
