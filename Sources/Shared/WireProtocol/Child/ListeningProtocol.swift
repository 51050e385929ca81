public import Planning

// What a parent asks of `cutfarm-render` when sound is looked at instead of encoded.

/// How loud the mix of a task is.
public struct LoudnessRequest: Sendable, Hashable, Codable {
    public var task: SoundTask
    /// In the order of the task's assets.
    public var sources: [SourceFile]
    /// Folder for decoded sound while it works.
    public var scratchFolder: String

    public init(task: SoundTask, sources: [SourceFile], scratchFolder: String) {
        self.task = task
        self.sources = sources
        self.scratchFolder = scratchFolder
    }
}

/// Loudness of a programme by EBU R128.
public struct LoudnessSummary: Sendable, Hashable, Codable {
    /// LUFS; nil for what is silent or shorter than 0.4 s.
    public var integrated: Double?
    /// LU.
    public var range: Double?
    /// dBTP; nil for silence.
    public var truePeak: Double?
    /// LUFS of the loudest 0.4 s and 3 s.
    public var maximumMomentary: Double?
    public var maximumShortTerm: Double?
    /// Of a channel.
    public var sampleCount: Int64
    public var sampleRate: Int

    public init(
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

    /// Every key is there: what there is no number for is null.
    public func encode(to encoder: any Encoder) throws {
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

/// The mix of a task as a waveform.
public struct WaveformRequest: Sendable, Hashable, Codable {
    public var task: SoundTask
    /// In the order of the task's assets.
    public var sources: [SourceFile]
    public var scratchFolder: String
    public var order: WaveformOrder
    public var output: String

    public init(
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
