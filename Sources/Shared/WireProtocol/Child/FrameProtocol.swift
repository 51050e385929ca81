public import CompositionModel
public import Planning

// What a parent asks of `cutfarm-render` when single frames or raw frames and samples are wanted instead of a movie.

/// Some frames of one picture task, each to a file of its own.
public struct StillsRequest: Sendable, Hashable, Codable {
    /// One frame and the file it goes to (in a folder the child may write).
    public struct Still: Sendable, Hashable, Codable {
        /// Of the task.
        public var frame: Int64
        public var path: String

        public init(frame: Int64, path: String) {
            self.frame = frame
            self.path = path
        }
    }

    public var task: PictureTask
    /// In the order of `task.assets`.
    public var sources: [SourceFile]
    public var stills: [Still]
    public var format: StillFormat
    /// The picture is made smaller, never larger, to fit into it.
    public var box: PictureSize?

    public init(
        task: PictureTask,
        sources: [SourceFile],
        stills: [Still],
        format: StillFormat,
        box: PictureSize?
    ) {
        self.task = task
        self.sources = sources
        self.stills = stills
        self.format = format
        self.box = box
    }
}

/// Frames put side by side in one image, row by row.
public struct SheetRequest: Sendable, Hashable, Codable {
    public var task: PictureTask
    /// In the order of `task.assets`.
    public var sources: [SourceFile]
    /// Of the task, at most `columns` × `rows`.
    public var frames: [Int64]
    public var columns: Int
    public var rows: Int
    /// Each picture fits into it.
    public var cell: PictureSize
    public var format: StillFormat
    public var output: String

    public init(
        task: PictureTask,
        sources: [SourceFile],
        frames: [Int64],
        columns: Int,
        rows: Int,
        cell: PictureSize,
        format: StillFormat,
        output: String
    ) {
        self.task = task
        self.sources = sources
        self.frames = frames
        self.columns = columns
        self.rows = rows
        self.cell = cell
        self.format = format
        self.output = output
    }
}

/// All frames of a picture task as YUV4MPEG2, or all samples of a sound task as WAV, into a file or a pipe.
public struct RawRequest: Sendable, Hashable, Codable {
    public enum Content: Sendable, Hashable, Codable {
        case picture(PictureTask)
        /// The folder is for decoded sound while it works.
        case sound(SoundTask, scratchFolder: String)
    }

    public var content: Content
    /// In the order of the task's assets.
    public var sources: [SourceFile]
    public var output: String

    public init(content: Content, sources: [SourceFile], output: String) {
        self.content = content
        self.sources = sources
        self.output = output
    }
}
