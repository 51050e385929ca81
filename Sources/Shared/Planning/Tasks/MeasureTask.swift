/// One piece of a mix, measured by one worker.
package struct MeasureTask: Sendable, Hashable, Codable {
    /// The piece of sound. Its pre-roll is mixed but not measured; it has no post-roll.
    package var sound: SoundTask
    /// The quantity to measure.
    package var what: SoundMeasure
    /// The piece's first sample, counted per channel from the first sample of the measured whole.
    package var start: Int64
    /// The number of samples per channel in the measured whole, over all pieces.
    package var wholeSampleCount: Int64
    /// 1-based normalisation round, measured with the gain that the earlier rounds ask for. Skipped if they converged;
    /// nil measures the unprocessed mix.
    package var round: Int?
    /// The renderer's version, copied from ``sound`` because every task states its own.
    package var rendererVersion: Int
    /// The library versions, as in ``PictureTask/libraries``.
    package var libraries: [String: String]?

    private enum CodingKeys: String, CodingKey {
        case sound, what, start
        case wholeSampleCount = "programme"
        case round, rendererVersion, libraries
    }

    /// Makes the task; the renderer's version and the libraries are those of `sound`.
    package init(sound: SoundTask, what: SoundMeasure, start: Int64, wholeSampleCount: Int64, round: Int? = nil) {
        self.round = round
        self.sound = sound
        self.what = what
        self.start = start
        self.wholeSampleCount = wholeSampleCount
        rendererVersion = sound.rendererVersion
        libraries = sound.libraries
    }

    /// Whether this is the last piece of the measured whole.
    package var isEnd: Bool { start + sound.sampleCount == wholeSampleCount }
}
