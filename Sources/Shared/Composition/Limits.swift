/// The largest values that are accepted. Far above what is edited, far below what arithmetic can hold.
public enum Limits {
    /// Pixels of a picture's side.
    public static let longestSide = 16_384
    /// Seconds of a timeline: 100 hours.
    public static let longestSeconds: Int64 = 360_000
    /// Frames per second.
    public static let frameRates = RationalTime(whole: 1)...RationalTime(whole: 1_000)
    /// Samples per second.
    public static let sampleRates = 8_000...192_000
    /// Sound channels of an output.
    public static let channels = 1...2
    /// Tracks of a kind, and layers of one instruction.
    public static let mostTracks = 256
    /// Pieces of one composition over all tracks, and layers over all its instructions.
    public static let mostSegments = 1_000_000
}
