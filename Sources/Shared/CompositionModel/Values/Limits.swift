package import Timing

/// The largest values that edits and compositions may have. They are far above what is edited, and far below what exact
/// arithmetic can hold.
package enum Limits {
    /// The longest side of a picture, in pixels.
    package static let longestSide = 16_384
    /// The longest timeline, in seconds: 100 hours.
    package static let longestSeconds: Int64 = 360_000
    /// The frame rates allowed, in frames per second.
    package static let frameRates = RationalTime(whole: 1)...RationalTime(whole: 1_000)
    /// The speeds allowed in either direction, in source seconds per second of the timeline; 0 is allowed too.
    package static let speeds = RationalTime.twentieth...RationalTime(whole: 20)
    /// The largest numerator and denominator of a speed.
    package static let speedParts: Int64 = 1_000_000_000
    /// The largest ratio between the edit's sample rate and the rate at which a sound runs, which is its sample rate
    /// times its speed; 1 / this is the least.
    package static let soundRatio: Int64 = 64
    /// The sample rates of sources that are allowed, in Hz.
    package static let sourceRates = 1...1_000_000
    /// The sample rates of edits that are allowed, in Hz.
    package static let sampleRates = 8_000...192_000
    /// The largest total of frames over which the speeds of an edit's segments change: each such frame is a sum of its
    /// own.
    package static let rampFrames = 200_000
    /// The largest total of repeats of pictures in one edit and all that are nested in it.
    package static let loopRuns = 20_000
    /// The longest part of a source's sound that may be looped, in samples.
    package static let longestLoop: Int64 = 1 << 40
    /// The numbers of sound channels that an output may have.
    package static let channels = 1...8
    /// The gains allowed from a channel of a source to a channel of the edit, in millionths.
    package static let channelGains: ClosedRange<Int64> = -16_000_000...16_000_000
    /// The positions and lengths in a frame that are allowed, in pixels.
    package static let layerLengths: ClosedRange<Int64> = -100_000...100_000
    /// The largest number of effects of one segment, of processors in one place, and of bands of one equaliser.
    package static let effects = 32
    /// The largest number of segments that a test may ask for.
    package static let mostForcedSegments = 10_000
    /// The largest depth to which edits may be nested.
    package static let nesting = 8
    /// The largest number of nested edits of one composition, over all depths.
    package static let mostNestedEdits = 256
    /// The largest number of tracks of one kind, and of layers of one instruction.
    package static let mostTracks = 256
    /// The largest total of a composition's pieces over all tracks, instructions, and layers of instructions.
    package static let mostSegments = 1_000_000
    /// The largest total of keys, properties, effects and processors in all runs of what is looped: each run has its own.
    package static let loopedWords = 50_000
    /// The instructions and layers to which any edit may come, however short its text is.
    package static let segmentsOfAnyText = 20_000
    /// The instructions and layers to which it may come beyond that for each item of its tracks: a bound in proportion to
    /// what was written, up to ``mostSegments``.
    package static let segmentsOfAnItem = 10
    /// The layers to which a composition's picture may come while it is planned, for each of its segments, instructions
    /// and layers, beside ``segmentsOfAnyText``. Ten tracks that are cut at different
    /// times come to ten for each cut.
    package static let layersOfAPiece = 10
}

extension RationalTime {
    // The fraction is valid, so the other value is never used.
    fileprivate static let twentieth = (try? RationalTime(1, 20)) ?? RationalTime(whole: 1)
}
