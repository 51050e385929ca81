public import CompositionModel
public import Timing

/// A volume: one level, or keys over time (docs/sound.md, "Volume keys").
public struct EditVolume: Sendable, Hashable {
    /// What is written.
    public enum Value: Sendable, Hashable {
        case level(VolumeLevel)
        /// At least one key, as written: two neighbours may have one `at`, that is a jump.
        case keys([EditVolumeKey])
    }

    /// What is written.
    public var value: Value
    /// The place of the value.
    public var mark: SourceMark
}

/// A level in the unit in which it was written.
public struct VolumeLevel: Sendable, Hashable {
    /// Millionths of `unit`: 200000 linear for `0.2`, −14000000 decibel for `"-14dB"`. Linear is never negative.
    public var millionths: Int64
    /// The unit in which the level was written.
    public var unit: VolumeKey.Unit

    public init(millionths: Int64, unit: VolumeKey.Unit) {
        self.millionths = millionths
        self.unit = unit
    }
}

/// `{ "at", "value", "ease" }`.
public struct EditVolumeKey: Sendable, Hashable {
    /// The time from the start of the item; a negative one lies before it.
    public var at: Marked<EditTime>
    /// The level at this time.
    public var level: Marked<VolumeLevel>
    /// The ease from this key to the next one; nil is linear.
    public var ease: Marked<Easing>?
    /// The object of the key.
    public var mark: SourceMark
}
