/// A piece of a mix that one worker measures.
public struct MeasureTask: Sendable, Hashable, Codable {
    /// The piece. Its pre-roll is heard and not measured; it has no post-roll.
    public var sound: SoundTask
    public var what: SoundMeasure
    /// The piece's first sample, counted from the first sample of all that is measured.
    public var start: Int64
    /// Samples of each channel of all that is measured, over all pieces.
    public var wholeSampleCount: Int64
    /// 1-based round of normalisation: it measures with the gain that the rounds before it ask for, and is skipped where
    /// they ask for nothing more. Nil measures the mix as it is.
    public var round: Int?
    /// As in ``PictureTask``, here too because every task says it.
    public var rendererVersion: Int
    public var libraries: [String: String]?

    private enum CodingKeys: String, CodingKey {
        case sound, what, start
        case wholeSampleCount = "programme"
        case round, rendererVersion, libraries
    }

    public init(sound: SoundTask, what: SoundMeasure, start: Int64, wholeSampleCount: Int64, round: Int? = nil) {
        self.round = round
        self.sound = sound
        self.what = what
        self.start = start
        self.wholeSampleCount = wholeSampleCount
        rendererVersion = sound.rendererVersion
        libraries = sound.libraries
    }

    /// Whether it is the last piece of all that is measured.
    public var isEnd: Bool { start + sound.sampleCount == wholeSampleCount }
}
