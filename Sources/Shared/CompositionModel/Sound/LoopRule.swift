/// The number of times that a segment's part of the source is played.
package enum LoopRule: Sendable, Hashable {
    /// Play it this many times, above 0.
    case runs(Int)
    /// Repeat it until the picture ends; only for segments of audio tracks.
    case picture

    /// The numbers of runs allowed.
    package static let counts = 1...1_000_000
}
