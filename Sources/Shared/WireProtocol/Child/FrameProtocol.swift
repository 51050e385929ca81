public import CompositionModel
public import Planning

// A parent sends these requests to `cutfarm-render` for single frames, or for raw frames and samples, in place of a
// movie.

/// Renders frames of one picture task, each to a file of its own.
public struct StillsRequest: Sendable, Hashable, Codable {
    /// One frame and the file to write it to.
    public struct Still: Sendable, Hashable, Codable {
        /// The frame, counted from the task's first one.
        public var frame: Int64
        /// The image file to write, in a folder that the child may write.
        public var path: String

        public init(frame: Int64, path: String) {
            self.frame = frame
            self.path = path
        }
    }

    /// The picture to render.
    public var task: PictureTask
    /// The source files, in the order of `task.assets`.
    public var sources: [SourceFile]
    /// The frames to render; a ``RenderEvent/still(position:failure:)`` names them by position.
    public var stills: [Still]
    /// The format of the image files.
    public var format: StillFormat
    /// The size in pixels that pictures are reduced to fit into, never enlarged; nil keeps the task's size.
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

/// Renders frames side by side into one image, row by row.
public struct SheetRequest: Sendable, Hashable, Codable {
    /// The picture to render.
    public var task: PictureTask
    /// The source files, in the order of `task.assets`.
    public var sources: [SourceFile]
    /// The frames in the order of the cells, counted from the task's first one; at most `columns` × `rows`.
    public var frames: [Int64]
    /// The number of cells in a row.
    public var columns: Int
    /// The number of rows.
    public var rows: Int
    /// The size in pixels that each picture is fitted into.
    public var cell: PictureSize
    /// The format of the image file.
    public var format: StillFormat
    /// The image file to write, in a folder that the child may write.
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

/// Writes all frames of a picture task as YUV4MPEG2, or all samples of a sound task as WAV, into a file or a pipe.
public struct RawRequest: Sendable, Hashable, Codable {
    /// The frames or samples to write.
    public enum Content: Sendable, Hashable, Codable {
        /// All frames of the task, as YUV4MPEG2.
        case picture(PictureTask)
        /// All samples of the task, as WAV; decoded sound is kept in the scratch folder meanwhile.
        case sound(SoundTask, scratchFolder: String)
    }

    /// The frames or samples to write.
    public var content: Content
    /// The source files, in the order of the task's assets.
    public var sources: [SourceFile]
    /// The file or pipe to write.
    public var output: String

    public init(content: Content, sources: [SourceFile], output: String) {
        self.content = content
        self.sources = sources
        self.output = output
    }
}
