/// A piece of a mix that one worker measures.
public struct MeasureTask: Sendable, Hashable, Codable {
    /// The piece. Its lead is heard and not measured; it has no tail.
    public var sound: SoundTask
    public var what: SoundMeasure
    /// The piece's first sample, counted from the programme's.
    public var start: Int64
    /// Samples of a channel of the whole programme.
    public var programme: Int64
    /// Of measuring on the way to the loudness of the whole, from 1 on: with the gain that the rounds before it ask
    /// for, or not at all where they ask for nothing more. Nil measures what there is to hear.
    public var round: Int?
    /// As in ``PictureTask``, here too because every task says it.
    public var rendererVersion: Int
    public var libraries: [String: String]?

    public init(sound: SoundTask, what: SoundMeasure, start: Int64, programme: Int64, round: Int? = nil) {
        self.round = round
        self.sound = sound
        self.what = what
        self.start = start
        self.programme = programme
        rendererVersion = sound.rendererVersion
        libraries = sound.libraries
    }

    /// Whether the programme ends with it.
    public var isEnd: Bool { start + sound.sampleCount == programme }
}
