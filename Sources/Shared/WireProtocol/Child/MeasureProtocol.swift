public import Planning

// Sound that is measured over a farm: what is ordered, what a worker is given, what is asked of `cutfarm-render`.

/// Measures a piece of a mix.
public struct MeasureRequest: Sendable, Hashable, Codable {
    public var task: MeasureTask
    /// In the order of the assets of the task's sound.
    public var sources: [SourceFile]
    /// As ``SoundRequest/readings``.
    public var readings: [[String]]
    /// Folder for decoded sound while it works.
    public var scratchFolder: String
    /// File to write: a `LoudnessPiece` or a `WaveformPiece`.
    public var output: String

    public init(
        task: MeasureTask,
        sources: [SourceFile],
        readings: [[String]] = [],
        scratchFolder: String,
        output: String
    ) {
        self.readings = readings
        self.task = task
        self.sources = sources
        self.scratchFolder = scratchFolder
        self.output = output
    }
}

/// Joins what was measured of all pieces of a programme.
public struct JoinRequest: Sendable, Hashable, Codable {
    public enum Result: Sendable, Hashable, Codable {
        /// ``RenderResult/loudness(_:)``.
        case loudness
        /// A file.
        case waveform(WaveformOrder, output: String)
    }

    /// What was written for ``MeasureRequest``, in the order of the pieces.
    public var pieces: [String]
    public var sampleRate: Int
    public var channels: Int
    /// Samples of a channel of the whole programme.
    public var wholeSampleCount: Int64
    public var result: Result

    public init(pieces: [String], sampleRate: Int, channels: Int, wholeSampleCount: Int64, result: Result) {
        self.pieces = pieces
        self.sampleRate = sampleRate
        self.channels = channels
        self.wholeSampleCount = wholeSampleCount
        self.result = result
    }
}
