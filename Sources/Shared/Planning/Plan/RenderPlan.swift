package import CompositionModel
package import Timing

/// How one output of a composition is made: its tasks, and the numbers that joining their results needs. A plan is a
/// pure function of the composition, the facts of its assets and the rule for segment lengths; it never depends on the
/// farm.
package struct RenderPlan: Sendable, Hashable, Codable {
    /// The settings of the output.
    package var output: OutputSettings
    /// The composition's frame rate.
    package var frameRate: FrameRate
    /// The number of frames of the output.
    package var frameCount: Int64
    /// Samples per second per channel.
    package var sampleRate: Int
    /// The number of samples per channel of the output.
    package var sampleCount: Int64
    /// The segments in order of time, which cover `0 ..< frameCount` of the output without gap or overlap. Empty when
    /// the output has sound alone.
    package var segments: [PlannedSegment]
    /// Why frames are encoded and not copied, the reason of most frames first; nil where nothing is to be copied.
    package var encoded: [EncodedShare]?
    /// The messages that encoded frames lose, by kind; nil where nothing is to be copied.
    package var lost: [LostMessages]?
    /// The sound of the whole output as one task; nil when the output has none.
    package var sound: SoundTask?
    /// The tasks that make ``sound``: pieces in order of time, without gap or overlap from sample 0 of the output.
    /// There is one when the sound is short or cannot be divided, equal to ``sound`` where nothing is copied; none
    /// without sound.
    package var soundPieces: [PlannedSound]
    /// Why sound is encoded and not copied, the reason of most samples first; nil where none is to be copied, and for
    /// PCM.
    package var encodedSound: [EncodedSoundShare]?
    /// Why ``soundPieces`` is one; nil when it is more, and without sound.
    package var undividedSound: UndividedSound?
    /// The rounds of measurement that precede the pieces of a loudness-normalised output, in order; each has its pieces
    /// in order of time. Nil when nothing is measured.
    package var soundRounds: [[PlannedMeasure]]?

    package init(
        output: OutputSettings,
        frameRate: FrameRate,
        frameCount: Int64,
        sampleRate: Int,
        sampleCount: Int64,
        segments: [PlannedSegment],
        encoded: [EncodedShare]? = nil,
        lost: [LostMessages]? = nil,
        sound: SoundTask?,
        soundPieces: [PlannedSound],
        encodedSound: [EncodedSoundShare]? = nil,
        undividedSound: UndividedSound? = nil,
        soundRounds: [[PlannedMeasure]]? = nil
    ) {
        self.soundPieces = soundPieces
        self.encodedSound = encodedSound
        self.undividedSound = undividedSound
        self.soundRounds = soundRounds
        self.output = output
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.segments = segments
        self.encoded = encoded
        self.lost = lost
        self.sound = sound
    }
}
