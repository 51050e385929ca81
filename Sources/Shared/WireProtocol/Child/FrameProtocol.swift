package import CompositionModel
package import Planning

// A parent sends these requests to `cutfarm-render` for single frames, or for raw frames and samples, in place of a
// movie.

/// Renders frames of one picture task, each to a file of its own.
package struct StillsRequest: Sendable, Hashable, Codable {
    /// One frame and the file to write it to.
    package struct Still: Sendable, Hashable, Codable {
        /// The frame, counted from the task's first one.
        package var frame: Int64
        /// The image file to write, in a folder that the child may write.
        package var path: String

        package init(frame: Int64, path: String) {
            self.frame = frame
            self.path = path
        }
    }

    /// The picture to render.
    package var task: PictureTask
    /// The source files, in the order of `task.assets`.
    package var sources: [SourceFile]
    /// The frames to render; a ``RenderEvent/still(position:failure:)`` names them by position.
    package var stills: [Still]
    /// The format of the image files.
    package var format: StillFormat
    /// The size in pixels that pictures are reduced to fit into, never enlarged; nil keeps the task's size.
    package var box: PictureSize?

    package init(
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
package struct SheetRequest: Sendable, Hashable, Codable {
    /// The picture to render.
    package var task: PictureTask
    /// The source files, in the order of `task.assets`.
    package var sources: [SourceFile]
    /// The frames in the order of the cells, counted from the task's first one; at most `columns` × `rows`.
    package var frames: [Int64]
    /// The number of cells in a row.
    package var columns: Int
    /// The number of rows.
    package var rows: Int
    /// The size in pixels that each picture is fitted into.
    package var cell: PictureSize
    /// The format of the image file.
    package var format: StillFormat
    /// The image file to write, in a folder that the child may write.
    package var output: String

    package init(
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
package struct RawRequest: Sendable, Hashable, Codable {
    /// The frames or samples to write.
    package enum Content: Sendable, Hashable, Codable {
        /// All frames of the task, as YUV4MPEG2.
        case picture(PictureTask)
        /// All samples of the task, as WAV; decoded sound is kept in the scratch folder meanwhile.
        case sound(SoundTask, scratchFolder: String)
    }

    /// The frames or samples to write.
    package var content: Content
    /// The source files, in the order of the task's assets.
    package var sources: [SourceFile]
    /// The file or pipe to write.
    package var output: String

    package init(content: Content, sources: [SourceFile], output: String) {
        self.content = content
        self.sources = sources
        self.output = output
    }
}
