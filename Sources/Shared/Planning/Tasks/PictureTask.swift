public import CompositionModel
public import Timing

/// What a worker needs to render one segment's pictures: the slice of the composition in segment-relative frames.
public struct PictureTask: Sendable, Hashable, Codable {
    public var frameRate: FrameRate
    /// Size of the composited and coded picture.
    public var size: PictureSize
    public var color: ColorDescription
    /// `#rrggbb`.
    public var background: String
    /// Frames that the segment delivers.
    public var frameCount: Int64
    /// Frames composited after them for the encoder's lookahead only; ≤ `encoding.postRoll`, less at the very end.
    public var postRollCount: Int64
    /// Distinct assets, in order of first use in the slice.
    public var assets: [ContentDigest]
    /// Cover 0 ..< frameCount + postRollCount without hole or overlap.
    public var instructions: [SliceInstruction]
    /// Edits that are shown as sources, each behind those that it shows itself. Nil is none.
    public var nested: [NestedSlice]?
    public var encoding: VideoEncoding
    /// Raised only when the renderer's bytes change.
    public var rendererVersion: Int
    /// Libraries by name with the versions that must render it; nil in a plan, which is of no machine. Set when the
    /// task is stored, so that a farm that is upgraded in the middle of a job does not mix them.
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
