public import CompositionModel

/// What an edit says of sound beyond its volume, at a segment or a track.
public struct EditSound: Sendable, Hashable {
    /// −1 … 1; nil is 0. Keys as those of the volume.
    public var pan: EditProperty?
    public var balance: EditProperty?
    public var processors: [SoundProcessor] = []

    public init() {}
}

/// What becomes of the pitch of a segment at another speed.
public enum PitchRule: String, Sendable, Hashable, CaseIterable {
    /// It goes with the speed.
    case follow
    case keep
}

/// `{ "under": ID, "by": "-12dB", … }`: lowers a track while another one is heard.
public struct EditDuck: Sendable, Hashable {
    /// An `id` of another track.
    public var under: Marked<String>
    /// All but `under` resolved.
    public var duck: Duck
    public var mark: SourceMark
}

/// What is done to the sum of all tracks.
public struct EditMaster: Sendable, Hashable {
    public var volume: EditVolume?
    public var processors: [SoundProcessor] = []
    /// Millionths of dBTP.
    public var ceiling: Int64?
    public var loudness: LoudnessTarget?
    public var mark: SourceMark
}
