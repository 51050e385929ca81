package import CompositionModel
package import Timing

/// How fast a segment's source runs.
package enum EditSpeed: Sendable, Hashable {
    /// Source seconds for a second of the timeline, within ± ``Limits/speeds``; below 0 backwards.
    case constant(RationalTime)
    /// At least one key.
    case ramp([EditSpeedKey])

    /// The speed; nil where it changes.
    var constant: RationalTime? { if case .constant(let speed) = self { speed } else { nil } }
}

/// One key of a changing speed.
package struct EditSpeedKey: Sendable, Hashable {
    /// The time from the segment's start on the timeline.
    package var at: Marked<EditTime>
    /// The speed in millionths, within ± ``Limits/speeds`` or 0.
    package var millionths: Int64
    /// The ease from this key to the next one.
    package var ease: Easing
    /// The object of the key.
    package var mark: SourceMark
}
