package import CompositionModel

/// What an edit says of sound beyond its volume, at a segment or a track.
package struct EditSound: Sendable, Hashable {
    /// The place between left, −1, and right, 1; nil is 0. Keys count as those of the volume.
    @OptionalCopyOnWrite package var pan: EditProperty? = nil
    /// How much the other side is lowered: −1 leaves the left alone, 1 the right; nil is 0. Keys count likewise.
    @OptionalCopyOnWrite package var balance: EditProperty? = nil
    /// The processors in the order in which they work.
    package var processors: [SoundProcessor] = []

    package init() {}
}

/// What becomes of the pitch of a segment at another speed.
package enum PitchRule: String, Sendable, Hashable, CaseIterable {
    /// It goes with the speed.
    case follow
    case keep
}

/// `{ "under": ID, "by": "-12dB", … }`: lowers a track while another one is heard.
package struct EditDuck: Sendable, Hashable {
    /// The `id` of another track.
    package var under: Marked<String>
    /// The duck with all but its tracks resolved.
    package var duck: Duck
    /// The object of the duck.
    package var mark: SourceMark
}

/// What is done to the sum of all tracks.
package struct EditMaster: Sendable, Hashable {
    /// The volume of the sum; nil is 1.
    package var volume: EditVolume?
    /// The processors in the order in which they work.
    package var processors: [SoundProcessor] = []
    /// The ceiling of the limiter in millionths of dBTP; nil is no limiter.
    package var ceiling: Int64?
    /// The loudness that the whole is brought to; nil leaves it as it is.
    package var loudness: LoudnessTarget?
    /// The `master` object.
    package var mark: SourceMark
}
