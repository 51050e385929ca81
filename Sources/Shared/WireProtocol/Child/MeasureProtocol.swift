package import Planning

// A parent sends these requests to `cutfarm-render` to measure sound in pieces, and to join the pieces.

/// Measures one piece of a mix.
package struct MeasureRequest: Sendable, Hashable, Codable {
    /// The piece to measure.
    package var task: MeasureTask
    /// The source files, in the order of the assets of the task's sound.
    package var sources: [SourceFile]
    /// The measurements of earlier rounds, as in ``SoundRequest/readings``.
    package var readings: [[String]]
    /// The folder for decoded sound during the work.
    package var scratchFolder: String
    /// The file to write: a `LoudnessPiece` or a `WaveformPiece`.
    package var output: String

    package init(
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

/// Joins the measurements of all pieces of a mix.
package struct JoinRequest: Sendable, Hashable, Codable {
    /// The form of the joined measurement.
    package enum Result: Sendable, Hashable, Codable {
        /// The loudness, answered as ``RenderResult/loudness(_:)``.
        case loudness
        /// A waveform, written to the file `output`.
        case waveform(WaveformOrder, output: String)
    }

    /// The files written for each ``MeasureRequest``, in the order of the pieces.
    package var pieces: [String]
    /// Samples per second per channel.
    package var sampleRate: Int
    /// The number of channels of the mix.
    package var channels: Int
    /// The number of samples per channel of the whole mix.
    package var wholeSampleCount: Int64
    /// The form of the joined measurement.
    package var result: Result

    package init(pieces: [String], sampleRate: Int, channels: Int, wholeSampleCount: Int64, result: Result) {
        self.pieces = pieces
        self.sampleRate = sampleRate
        self.channels = channels
        self.wholeSampleCount = wholeSampleCount
        self.result = result
    }
}
