/// How often what a segment plays is played.
public enum LoopRule: Sendable, Hashable {
    /// Above 0.
    case runs(Int)
    /// Again and again until the picture ends, of a track of sound.
    case picture

    package static let counts = 1...1_000_000
}
