public import CompositionModel
public import Timing

/// What an edit says of its picture and sound. What it leaves out is taken from its first video asset.
public struct EditFormat: Sendable, Hashable {
    /// Width and height in pixels, even and above 0.
    public var size: Marked<PictureSize>?
    /// Frames per second.
    public var frameRate: Marked<FrameRate>?
    /// Samples per second, 8000…192000.
    public var sampleRate: Marked<Int>?
    /// The number of channels, within ``Limits/channels``.
    public var channels: Marked<Int>?
    /// The colour space of the picture.
    public var color: Marked<ColorDescription>?
    /// The colour where no picture is, `#rrggbb` in lower case.
    public var background: Marked<String>?
    /// The `format` object, or the document when there is none.
    public var mark: SourceMark
}
