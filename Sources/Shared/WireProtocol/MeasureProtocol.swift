// Sound that is measured over a farm: what is ordered, what a worker is given, what is asked of `cutfarm-render`.

/// What a ``JobSubmission`` orders in place of a movie: to hear the mix and say what it is like.
public struct MeasureOrder: Sendable, Hashable, Codable {
    public var what: SoundMeasure
    /// Samples of a channel after the first that is rendered; nil is 0.
    public var firstSample: Int64?
    /// Samples of a channel from there on; nil is all.
    public var sampleCount: Int64?
    /// As of ``SoundTask/speakers``.
    public var speakers: [String]?

    public init(
        _ what: SoundMeasure,
        firstSample: Int64? = nil,
        sampleCount: Int64? = nil,
        speakers: [String]? = nil
    ) {
        self.what = what
        self.firstSample = firstSample
        self.sampleCount = sampleCount
        self.speakers = speakers
    }

    /// What of it cannot be done for a mix, as a sentence; nil is nothing.
    /// - Parameters:
    ///   - sampleCount: of a channel, as far as it is heard.
    ///   - channels: of the mix.
    public func problem(sampleCount: Int64, channels: Int) -> String? {
        guard sampleCount > 0 else { return "There is no sound in the edit, so it has no samples." }
        guard case .waveform(let grid, let lanes) = what else { return nil }
        let most = WaveformOrder.mostColumns / Int64(lanes.count(of: channels))
        switch grid {
        case .evenly(let columns):
            guard !(1...WaveformOrder.longestSide).contains(columns) else { return nil }
            return "A waveform has 1 to \(WaveformOrder.longestSide) columns, and this one \(columns)."
        case .every(let samples):
            guard samples >= 1 else { return "A column of a waveform stands for 1 sample or more." }
            let columns = (sampleCount - 1) / samples + 1
            return columns <= most ? nil : "A waveform has 1 to \(most) columns, and this one \(columns)."
        }
    }
}

/// What is found out of a mix.
public enum SoundMeasure: Sendable, Hashable, Codable {
    /// As ``LoudnessSummary`` says it. A piece's artifact is a `LoudnessPiece`.
    case loudness
    /// The columns of a waveform. A piece's artifact is a `WaveformPiece`.
    case waveform(grid: WaveformGrid, channels: WaveformOrder.Channels)
}

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
    public var programme: Int64
    public var result: Result

    public init(pieces: [String], sampleRate: Int, channels: Int, programme: Int64, result: Result) {
        self.pieces = pieces
        self.sampleRate = sampleRate
        self.channels = channels
        self.programme = programme
        self.result = result
    }
}

extension WaveformOrder.Channels {
    /// Lanes of a waveform of `channels` channels.
    public func count(of channels: Int) -> Int { self == .mixed ? 1 : channels }
}
