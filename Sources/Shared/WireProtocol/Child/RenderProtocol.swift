package import CompositionModel
package import Planning

// These types are what a parent (worker, coordinator, command line) and the sandboxed `cutfarm-render` child say to
// each other over descriptor 0, a socket pair. Each message is a byte count as a big-endian UInt32, followed by that
// many bytes of JSON.

/// The first message to the child, sent once.
package enum RenderRequest: Sendable, Hashable, Codable {
    case probe(ProbeRequest)
    case picture(PictureRequest)
    case sound(SoundRequest)
    case stitch(StitchRequest)
    case fonts(FontRequest)
    case stills(StillsRequest)
    case sheet(SheetRequest)
    case raw(RawRequest)
    case loudness(LoudnessRequest)
    case waveform(WaveformRequest)
    case measure(MeasureRequest)
    case join(JoinRequest)
    case export(ExportRequest)
    case preview(PreviewRequest)
    /// Asks for the versions of the renderer and its libraries, for registration and plans.
    case versions
}

/// A source file as the child sees it.
package struct SourceFile: Sendable, Hashable, Codable {
    /// The file's path. The file may be sparse: see ``isComplete``.
    package var path: String
    /// The length of the whole source in bytes, also while the file is sparse.
    package var byteCount: Int64
    /// Whether all bytes are present. Otherwise the child asks for each 1 MiB block before it first reads it
    /// (``RenderEvent/need(source:block:)``).
    package var isComplete: Bool
    /// The files that hold the binary ``FrameIndex`` of each picture stream, by libavformat's stream index.
    package var frameIndexes: [Int: String]
    /// What probing found in the source; nil before it was probed.
    package var facts: AssetFacts?

    package init(
        path: String,
        byteCount: Int64,
        isComplete: Bool,
        frameIndexes: [Int: String] = [:],
        facts: AssetFacts? = nil
    ) {
        self.path = path
        self.byteCount = byteCount
        self.isComplete = isComplete
        self.frameIndexes = frameIndexes
        self.facts = facts
    }
}

/// Reads the facts of a source. The result is ``RenderResult/probe(facts:frameIndexes:)``.
package struct ProbeRequest: Sendable, Hashable, Codable {
    /// The file to probe.
    package var source: SourceFile
    /// The folder for the frame indexes, one file per picture stream, which the result names.
    package var outputFolder: String

    package init(source: SourceFile, outputFolder: String) {
        self.source = source
        self.outputFolder = outputFolder
    }
}

/// Renders and encodes the pictures of one segment.
package struct PictureRequest: Sendable, Hashable, Codable {
    /// The segment to render.
    package var task: PictureTask
    /// The source files, in the order of `task.assets`.
    package var sources: [SourceFile]
    /// The packet file to write, in a folder that the child may write.
    package var output: String

    package init(task: PictureTask, sources: [SourceFile], output: String) {
        self.task = task
        self.sources = sources
        self.output = output
    }
}

/// Mixes and encodes the sound of an output, or a piece of it.
package struct SoundRequest: Sendable, Hashable, Codable {
    /// The sound to make.
    package var task: SoundTask
    /// The source files, in the order of `task.assets`.
    package var sources: [SourceFile]
    /// The measurements of the programme that the task is a piece of: one list of files per round, in order, each in
    /// the order of its pieces. Empty when the task names no programme.
    package var readings: [[String]]
    /// The packet file to write, in a folder that the child may write.
    package var output: String
    /// The folder for decoded sound during the work.
    package var scratchFolder: String

    package init(
        task: SoundTask,
        sources: [SourceFile],
        readings: [[String]] = [],
        output: String,
        scratchFolder: String
    ) {
        self.readings = readings
        self.task = task
        self.sources = sources
        self.output = output
        self.scratchFolder = scratchFolder
    }
}

/// Joins the parts of an output into a movie.
package struct StitchRequest: Sendable, Hashable, Codable {
    /// The numbers that joining needs.
    package var task: StitchTask
    /// The packet files of the picture parts, in order; empty when the output has sound alone.
    package var pictureParts: [String]
    /// The packet files of the sound parts, in order; empty when the output has no sound.
    package var soundParts: [String]
    /// The movie to write.
    package var output: String

    package init(task: StitchTask, pictureParts: [String], soundParts: [String], output: String) {
        self.task = task
        self.pictureParts = pictureParts
        self.soundParts = soundParts
        self.output = output
    }
}

/// A message from the child to its parent. A `result` or a `failure` is the last one.
package enum RenderEvent: Sendable, Hashable, Codable {
    /// The child waits for block `block` of source `source`, a position in the request. The parent answers
    /// ``RenderReply/have(source:block:)`` once the block is in the file.
    case need(source: Int, block: Int64)
    /// The progress in thousandths, 0 … 1000.
    case progress(permille: Int)
    /// The still at this position of ``StillsRequest/stills`` is in its file, or failed if `failure` is not nil.
    case still(position: Int, failure: Failure?)
    /// A source has a defect, although it could be rendered.
    case warning(Failure)
    /// The processor time and the largest memory of the child so far, and what computed with vectors
    /// (``TaskStatistics/vectors``); sent once, before the last message. A child of an earlier version
    /// does not say the latter; that it is of another version is found from its result.
    case usage(cpuMilliseconds: Int64, peakMemoryBytes: Int64, vectors: [String]?)
    /// The request succeeded.
    case result(RenderResult)
    /// The request failed.
    case failure(Failure)
}

/// A message from the parent to the child after the request.
package enum RenderReply: Sendable, Hashable, Codable {
    /// The block is in the file.
    case have(source: Int, block: Int64)
    /// The block cannot be had; the child fails with this failure.
    case unavailable(Failure)
}

/// The result of a ``RenderRequest``.
package enum RenderResult: Sendable, Hashable, Codable {
    /// The facts of a source, with the files written for its frame indexes, by libavformat's stream index.
    case probe(facts: AssetFacts, frameIndexes: [Int: String])
    /// A file was written, with this number of frames, samples per channel, or stills.
    case artifact(unitCount: Int64)
    /// The versions of the renderer and of its libraries, by library name, and the child's user as processes outside of
    /// its namespaces see it.
    case versions(rendererVersion: Int, libraries: [String: String], user: UInt32)
    /// The answers, in the order of the descriptors.
    case fonts([FontAnswer])
    /// The loudness of the mix.
    case loudness(LoudnessSummary)
    /// What was copied into a file.
    case export(ExportReport)
    /// The head of a track was written, of this codec by its name in RFC 6381, such as `avc1.64001f`.
    case track(codec: String)
}
