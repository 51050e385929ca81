public import CompositionModel
public import Timing

/// How one output of a composition is made: tasks in stages with the recipe that joins their results.
/// A pure function of the composition, the facts of its assets and the segment length rule; never of the farm.
public struct RenderPlan: Sendable, Hashable, Codable {
    public var output: OutputSettings
    public var frameRate: FrameRate
    public var frameCount: Int64
    public var sampleRate: Int
    public var sampleCount: Int64
    /// In order of time; without hole or overlap from frame 0 (of the output) to `frameCount`.
    public var segments: [PlannedSegment]
    /// The whole timeline's sound; nil when the output has none.
    public var sound: SoundTask?
    /// The tasks that make it: pieces in order of time, without hole or overlap from sample 0 of the output on. One,
    /// equal to ``sound``, where it is short or has to be made in one go.
    public var soundPieces: [PlannedSound]
    /// What is measured before the pieces are made, where they are brought to a loudness: rounds that follow each
    /// other, each of pieces in order of time. Nil is none.
    public var soundRounds: [[PlannedMeasure]]?

    public init(
        output: OutputSettings,
        frameRate: FrameRate,
        frameCount: Int64,
        sampleRate: Int,
        sampleCount: Int64,
        segments: [PlannedSegment],
        sound: SoundTask?,
        soundPieces: [PlannedSound],
        soundRounds: [[PlannedMeasure]]? = nil
    ) {
        self.soundPieces = soundPieces
        self.soundRounds = soundRounds
        self.output = output
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.segments = segments
        self.sound = sound
    }
}
