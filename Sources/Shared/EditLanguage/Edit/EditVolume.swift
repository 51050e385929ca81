package import CompositionModel
package import Timing

/// A volume: one level, or keys over time (docs/sound.md, "Volume keys").
package struct EditVolume: Sendable, Hashable {
    /// What is written.
    package enum Value: Sendable, Hashable {
        case level(VolumeLevel)
        /// At least one key, as written: two neighbours may have one `at`, that is a jump.
        case keys([EditVolumeKey])
    }

    /// What is written.
    package var value: Value
    /// The place of the value.
    package var mark: SourceMark
}

/// A level in the unit in which it was written.
package struct VolumeLevel: Sendable, Hashable {
    /// Millionths of `unit`: 200000 linear for `0.2`, −14000000 decibel for `"-14dB"`. Linear is never negative.
    package var millionths: Int64
    /// The unit in which the level was written.
    package var unit: VolumeKey.Unit

    package init(millionths: Int64, unit: VolumeKey.Unit) {
        self.millionths = millionths
        self.unit = unit
    }
}

/// `{ "at", "value", "ease" }`.
package struct EditVolumeKey: Sendable, Hashable {
    /// The time from the start of the item; a negative one lies before it.
    package var at: Marked<EditTime>
    /// The level at this time.
    package var level: Marked<VolumeLevel>
    /// The ease from this key to the next one; nil is linear.
    package var ease: Marked<Easing>?
    /// The object of the key.
    package var mark: SourceMark
}
