public import CompositionModel
public import Timing

/// A volume: one level, or keys over time (docs/sound.md, "Volume keys").
public struct EditVolume: Sendable, Hashable {
    public enum Value: Sendable, Hashable {
        case level(VolumeLevel)
        /// At least one, as written: two neighbours may have one `at`, that is a jump.
        case keys([EditVolumeKey])
    }

    public var value: Value
    public var mark: SourceMark
}

/// How loud, in the unit in which it was written.
public struct VolumeLevel: Sendable, Hashable {
    /// Millionths of `unit`: 200000 linear for `0.2`, −14000000 decibel for `"-14dB"`. Linear is never negative.
    public var millionths: Int64
    public var unit: VolumeKey.Unit

    public init(millionths: Int64, unit: VolumeKey.Unit) {
        self.millionths = millionths
        self.unit = unit
    }
}

/// `{ "at", "value", "ease" }`.
public struct EditVolumeKey: Sendable, Hashable {
    /// From the start of the item; may be negative, then the way has begun before it.
    public var at: Marked<EditTime>
    public var level: Marked<VolumeLevel>
    /// How the way to the next key is shaped; nil is linear.
    public var ease: Marked<Easing>?
    public var mark: SourceMark
}
