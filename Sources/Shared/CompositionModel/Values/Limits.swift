public import Timing

/// The largest values that are accepted. Far above what is edited, far below what arithmetic can hold.
public enum Limits {
    /// Pixels of a picture's side.
    public static let longestSide = 16_384
    /// Seconds of a timeline: 100 hours.
    public static let longestSeconds: Int64 = 360_000
    /// Frames per second.
    public static let frameRates = RationalTime(whole: 1)...RationalTime(whole: 1_000)
    /// Source seconds for a second of the timeline, forwards or backwards.
    public static let speeds = RationalTime.twentieth...RationalTime(whole: 20)
    /// Both parts of a speed as a fraction.
    public static let speedParts: Int64 = 1_000_000_000
    /// How many times slower or faster than the edit's a sound may run: its sample rate times its speed.
    public static let soundRatio: Int64 = 64
    /// Samples per second of a source.
    public static let sourceRates = 1...1_000_000
    /// Samples per second.
    public static let sampleRates = 8_000...192_000
    /// Frames of a timeline over which speeds of its segments change, all together: each is a sum of its own.
    public static let rampFrames = 500_000
    /// How often pictures of one edit may be repeated.
    public static let loopRuns = 100_000
    /// Samples of the source that are repeated.
    public static let longestLoop: Int64 = 1 << 40
    /// Sound channels of an output.
    public static let channels = 1...8
    /// Millionths: what of a source's channel one of the edit may get.
    public static let channelGains: ClosedRange<Int64> = -16_000_000...16_000_000
    /// Pixels of a place or a length in a frame.
    public static let layerLengths: ClosedRange<Int64> = -100_000...100_000
    /// Effects of one segment.
    public static let effects = 32
    /// Segments that a test may ask for.
    public static let mostForcedSegments = 10_000
    /// Edits in edits in edits: how deep.
    public static let nesting = 8
    /// Nested edits of one composition, over all depths.
    public static let mostNestedEdits = 256
    /// Tracks of a kind, and layers of one instruction.
    public static let mostTracks = 256
    /// Pieces of one composition over all tracks, and layers over all its instructions.
    public static let mostSegments = 1_000_000
}

extension RationalTime {
    // The fraction is known to be one.
    fileprivate static let twentieth = (try? RationalTime(1, 20)) ?? RationalTime(whole: 1)
}
