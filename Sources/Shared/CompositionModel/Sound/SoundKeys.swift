package import Timing

/// The value of a pan or a balance at one sample.
package struct SoundKey: Sendable, Hashable, Codable {
    /// The sample, counted from the same zero as the keys of the property.
    package var at: Int64
    /// The value in millionths: −1000000 is one side, 1000000 the other.
    package var millionths: Int64
    /// The shape of the change to the next key; nil means linear.
    package var ease: Easing?

    package init(at: Int64, millionths: Int64, ease: Easing? = nil) {
        (self.at, self.millionths, self.ease) = (at, millionths, ease)
    }
}

/// One key of a volume. The value of the first key holds before it, and the value of the last key after it; two keys at
/// one sample are a jump. Between two keys the change is linear in their unit when both have the same, else linear in
/// gain; `holds` keeps the first value until the next key.
package struct VolumeKey: Sendable, Hashable, Codable {
    /// The unit of the value: a factor of amplitude, or dB.
    package enum Unit: String, Sendable, Hashable, Codable {
        case linear, decibel
    }

    /// The sample, counted from the same zero as the other keys of the volume.
    package var at: Int64
    /// The value in millionths of the unit: 500000 linear is half, −6000000 decibel is −6 dB.
    package var millionths: Int64
    package var unit: Unit
    /// Whether the value holds until the next key.
    package var holds: Bool
    /// The shape of the change to the next key; nil means linear. It has no meaning where the key holds.
    package var ease: Easing?

    package init(at: Int64, millionths: Int64, unit: Unit, holds: Bool = false, ease: Easing? = nil) {
        self.at = at
        self.millionths = millionths
        self.unit = unit
        self.holds = holds
        self.ease = ease
    }
}
