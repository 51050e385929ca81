public import Timing
public import CompositionModel

/// What an edit says of its picture and sound. What it leaves out is taken from its first video asset.
public struct EditFormat: Sendable, Hashable {
    /// Width and height are even and above 0.
    public var size: Marked<PictureSize>?
    public var frameRate: Marked<FrameRate>?
    /// Samples per second, 8000…192000.
    public var sampleRate: Marked<Int>?
    /// 1 or 2.
    public var channels: Marked<Int>?
    public var color: Marked<ColorDescription>?
    /// `#rrggbb` in lower case.
    public var background: Marked<String>?
    /// The `format` object, or the document when there is none.
    public var mark: SourceMark
}
