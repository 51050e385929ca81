public import CompositionModel
public import Planning

// What a parent (worker, coordinator, command line) and the sandboxed `cutfarm-render` child say to each other over
// descriptor 0, a socket pair: each message is a big-endian UInt32 byte count and that many bytes of JSON.

/// The first message to the child, once.
public enum RenderRequest: Sendable, Hashable, Codable {
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
    /// Versions of the renderer and its libraries, for registration and plans.
    case versions
}

/// A file of a source as the child sees it.
public struct SourceFile: Sendable, Hashable, Codable {
    /// May be sparse: see `isComplete`.
    public var path: String
    public var byteCount: Int64
    /// All bytes are there. If not, the child asks for each 1 MiB block before it first reads it
    /// (``RenderEvent/need``).
    public var isComplete: Bool
    /// Files that hold the binary ``FrameIndex`` of each picture stream, by libavformat stream index.
    public var frameIndexes: [Int: String]
    public var facts: AssetFacts?

    public init(
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

public struct ProbeRequest: Sendable, Hashable, Codable {
    public var source: SourceFile
    /// Folder for the frame indexes it writes, one file a picture stream; named in the result.
    public var outputFolder: String

    public init(source: SourceFile, outputFolder: String) {
        self.source = source
        self.outputFolder = outputFolder
    }
}

public struct PictureRequest: Sendable, Hashable, Codable {
    public var task: PictureTask
    /// In the order of `task.assets`.
    public var sources: [SourceFile]
    /// Packet file to write (in a folder the child may write).
    public var output: String

    public init(task: PictureTask, sources: [SourceFile], output: String) {
        self.task = task
        self.sources = sources
        self.output = output
    }
}

public struct SoundRequest: Sendable, Hashable, Codable {
    public var task: SoundTask
    public var sources: [SourceFile]
    /// What was measured of the programme that the task is a piece of: rounds in order, of each the files of its pieces
    /// in order of time. Empty where the task names no programme.
    public var readings: [[String]]
    public var output: String
    /// Folder for decoded sound while it works.
    public var scratchFolder: String

    public init(
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

public struct StitchRequest: Sendable, Hashable, Codable {
    public var task: StitchTask
    /// Packet files of the picture parts in order.
    public var pictureParts: [String]
    /// Packet files of the sound's parts in order.
    public var soundParts: [String]
    /// Movie to write.
    public var output: String

    public init(task: StitchTask, pictureParts: [String], soundParts: [String], output: String) {
        self.task = task
        self.pictureParts = pictureParts
        self.soundParts = soundParts
        self.output = output
    }
}

/// From child to parent. `result` or `failure` is the last one.
public enum RenderEvent: Sendable, Hashable, Codable {
    /// Block `block` of source `source` (position in the request) must be in the file; the parent answers
    /// ``RenderReply/have`` once it is. The child waits.
    case need(source: Int, block: Int64)
    /// 0 … 1000.
    case progress(permille: Int)
    /// A still of ``StillsRequest/stills`` is in its file, or cannot be had.
    case still(position: Int, failure: Failure?)
    /// A source could be rendered and is not as it should be.
    case warning(Failure)
    /// What the child has cost so far; sent once, before its last word.
    case usage(cpuMilliseconds: Int64, peakMemoryBytes: Int64)
    case result(RenderResult)
    case failure(Failure)
}

/// From parent to child after the request.
public enum RenderReply: Sendable, Hashable, Codable {
    case have(source: Int, block: Int64)
    /// The block cannot be had; the child fails with this.
    case unavailable(Failure)
}

public enum RenderResult: Sendable, Hashable, Codable {
    /// `frameIndexes`: files written, by stream index.
    case probe(facts: AssetFacts, frameIndexes: [Int: String])
    /// Frames, samples or stills written.
    case artifact(unitCount: Int64)
    case versions(rendererVersion: Int, libraries: [String: String])
    /// The answers in the order of the descriptors.
    case fonts([FontAnswer])
    case loudness(LoudnessSummary)
}
