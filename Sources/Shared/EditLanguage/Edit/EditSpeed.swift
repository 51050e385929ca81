public import Timing
public import CompositionModel

/// How fast a segment's source runs.
public enum EditSpeed: Sendable, Hashable {
    /// Source seconds for a second of the timeline, within ± ``Limits/speeds``; below 0 backwards.
    case constant(RationalTime)
    /// At least one key.
    case ramp([EditSpeedKey])

    /// Nil where it changes.
    var constant: RationalTime? { if case .constant(let speed) = self { speed } else { nil } }
}

/// One key of a changing speed.
public struct EditSpeedKey: Sendable, Hashable {
    /// From the segment's start on the timeline.
    public var at: Marked<EditTime>
    /// Millionths, within ± ``Limits/speeds`` or 0.
    public var millionths: Int64
    /// The way to the next key.
    public var ease: Easing
    public var mark: SourceMark
}
