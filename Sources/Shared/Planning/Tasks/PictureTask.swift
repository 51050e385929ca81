public import CompositionModel
public import Timing

/// The slice of a composition that a worker needs to render the pictures of one segment, in segment-relative frames.
public struct PictureTask: Sendable, Hashable, Codable {
    /// The frame rate of the output.
    public var frameRate: FrameRate
    /// The size of the composited and encoded picture, in pixels.
    public var size: PictureSize
    /// The colour description of the output.
    public var color: ColorDescription
    /// The background colour, as `#rrggbb`.
    public var background: String
    /// The number of frames that the segment delivers.
    public var frameCount: Int64
    /// The number of frames composited after them, only for the encoder's lookahead: at most `encoding.postRoll`, fewer
    /// near the end of the output.
    public var postRollCount: Int64
    /// The distinct assets, in order of first use in the slice.
    public var assets: [ContentDigest]
    /// The instructions, which cover `0 ..< frameCount + postRollCount` without gap or overlap.
    public var instructions: [SliceInstruction]
    /// The nested edits shown as sources, each after those that it shows itself; nil when there are none.
    public var nested: [NestedSlice]?
    /// The codec of the pictures and its settings.
    public var encoding: VideoEncoding
    /// The version of the renderer; see ``Renderer/version``.
    public var rendererVersion: Int
    /// The library versions that must render the task, by library name. Nil in a plan, which belongs to no machine; set
    /// when the task is stored, so that a farm upgraded in the middle of a job does not mix versions.
    public var libraries: [String: String]?

    public init(
        frameRate: FrameRate,
        size: PictureSize,
        color: ColorDescription,
        background: String,
        frameCount: Int64,
        postRollCount: Int64,
        assets: [ContentDigest],
        instructions: [SliceInstruction],
        nested: [NestedSlice]? = nil,
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
        self.encoding = encoding
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}
