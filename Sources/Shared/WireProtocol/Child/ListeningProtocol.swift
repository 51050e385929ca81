package import Planning

// A parent sends these requests to `cutfarm-render` to examine sound in place of encoding it.

/// Measures the loudness of a task's mix. The result is ``RenderResult/loudness(_:)``.
package struct LoudnessRequest: Sendable, Hashable, Codable {
    /// The mix to measure.
    package var task: SoundTask
    /// The source files, in the order of the task's assets.
    package var sources: [SourceFile]
    /// The folder for decoded sound during the work.
    package var scratchFolder: String

    package init(task: SoundTask, sources: [SourceFile], scratchFolder: String) {
        self.task = task
        self.sources = sources
        self.scratchFolder = scratchFolder
    }
}

/// The loudness of a mix by EBU R128.
package struct LoudnessSummary: Sendable, Hashable, Codable {
    /// The integrated loudness in LUFS; nil for silence, and for sound shorter than 0.4 s.
    package var integrated: Double?
    /// The loudness range in LU; nil when it cannot be measured.
    package var range: Double?
    /// The true peak in dBTP; nil for silence.
    package var truePeak: Double?
    /// The loudness of the loudest 0.4 s, in LUFS; nil for silence, and for shorter sound.
    package var maximumMomentary: Double?
    /// The loudness of the loudest 3 s, in LUFS; nil for silence, and for shorter sound.
    package var maximumShortTerm: Double?
    /// The number of samples measured per channel.
    package var sampleCount: Int64
    /// Samples per second per channel.
    package var sampleRate: Int

    package init(
        integrated: Double?,
        range: Double?,
        truePeak: Double?,
        maximumMomentary: Double?,
        maximumShortTerm: Double?,
        sampleCount: Int64,
        sampleRate: Int
    ) {
        self.integrated = integrated
        self.range = range
        self.truePeak = truePeak
        self.maximumMomentary = maximumMomentary
        self.maximumShortTerm = maximumShortTerm
        self.sampleCount = sampleCount
        self.sampleRate = sampleRate
    }

    /// Writes every key; a number that does not exist is null.
    /// - Throws: `EncodingError` if `encoder` cannot hold a value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(integrated, forKey: .integrated)
        try container.encode(range, forKey: .range)
        try container.encode(truePeak, forKey: .truePeak)
        try container.encode(maximumMomentary, forKey: .maximumMomentary)
        try container.encode(maximumShortTerm, forKey: .maximumShortTerm)
        try container.encode(sampleCount, forKey: .sampleCount)
        try container.encode(sampleRate, forKey: .sampleRate)
    }
}

/// Draws the waveform of a task's mix.
package struct WaveformRequest: Sendable, Hashable, Codable {
    /// The mix to draw.
    package var task: SoundTask
    /// The source files, in the order of the task's assets.
    package var sources: [SourceFile]
    /// The folder for decoded sound during the work.
    package var scratchFolder: String
    /// The waveform's settings.
    package var order: WaveformOrder
    /// The file to write, in a folder that the child may write.
    package var output: String

    package init(
        task: SoundTask,
        sources: [SourceFile],
        scratchFolder: String,
        order: WaveformOrder,
        output: String
    ) {
        self.task = task
        self.sources = sources
        self.scratchFolder = scratchFolder
        self.order = order
        self.output = output
    }
}
