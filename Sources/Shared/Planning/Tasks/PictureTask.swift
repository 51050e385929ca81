package import CompositionModel
package import Timing

/// The slice of a composition that a worker needs to render the pictures of one segment, in segment-relative frames.
package struct PictureTask: Sendable, Hashable, Codable, OrderedObject {
    /// The frame rate of the output.
    package var frameRate: FrameRate
    /// The size of the composited picture, in pixels; coded, it may lie otherwise (``codedSize``).
    package var size: PictureSize
    /// The colour description of the output.
    package var color: ColorDescription
    /// The background colour, as `#rrggbb`.
    package var background: String
    /// The number of frames that the segment delivers.
    package var frameCount: Int64
    /// The number of frames composited after them, only for the encoder's lookahead: at most `encoding.postRoll`, fewer
    /// near the end of the output.
    package var postRollCount: Int64
    /// The distinct assets, in order of first use in the slice.
    package var assets: [ContentDigest]
    /// The instructions, which cover `0 ..< frameCount + postRollCount` without gap or overlap.
    package var instructions: [SliceInstruction]
    /// The nested edits shown as sources, each after those that it shows itself; nil when there are none.
    package var nested: [NestedSlice]?
    /// The frames that are copied, in order of time; all others are composited and encoded. Nil when none are.
    package var copies: [CopiedSpan]?
    /// The encoded frames that keep messages of their source, in order of time; nil when none do.
    package var carried: [CarriedSpan]?
    /// The codec of the pictures and its settings.
    package var encoding: VideoEncoding
    /// The version of the renderer; see ``Renderer/version``.
    package var rendererVersion: Int
    /// The library versions that must render the task, by library name. Nil in a plan, which belongs to no machine; set
    /// when the task is stored, so that a farm upgraded in the middle of a job does not mix versions.
    package var libraries: [String: String]?

    package init(
        frameRate: FrameRate,
        size: PictureSize,
        color: ColorDescription,
        background: String,
        frameCount: Int64,
        postRollCount: Int64,
        assets: [ContentDigest],
        instructions: [SliceInstruction],
        nested: [NestedSlice]? = nil,
        copies: [CopiedSpan]? = nil,
        carried: [CarriedSpan]? = nil,
        encoding: VideoEncoding,
        rendererVersion: Int,
        libraries: [String: String]? = nil
    ) {
        self.frameRate = frameRate
        self.size = size
        self.color = color
        self.background = background
        self.frameCount = frameCount
        self.postRollCount = postRollCount
        self.assets = assets
        self.instructions = instructions
        self.nested = nested
        self.copies = copies
        self.carried = carried
        self.encoding = encoding
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}

extension PictureTask {
    /// The size of the coded picture, in pixels.
    package var codedSize: PictureSize { encoding.raster?.size ?? size }
}

extension PictureTask {
    package func write(to members: inout ObjectMembers) throws {
        try members.write("assets", assets)
        try members.write("background", background)
        if let carried { try members.write("carried", carried) }
        try members.write("color", color)
        if let copies { try members.write("copies", copies) }
        try members.write("encoding", encoding)
        try members.write("frameCount", frameCount)
        try members.write("frameRate", frameRate)
        try members.write("instructions", instructions)
        if let libraries { try members.write("libraries", libraries) }
        if let nested { try members.write("nested", nested) }
        try members.write("postRollCount", postRollCount)
        try members.write("rendererVersion", rendererVersion)
        try members.write("size", size)
    }
}
