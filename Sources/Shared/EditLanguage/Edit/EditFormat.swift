package import CompositionModel
package import Timing

/// What an edit says of its picture and sound. What it leaves out is taken from its first video asset.
package struct EditFormat: Sendable, Hashable {
    /// Width and height in pixels, even and above 0.
    package var size: Marked<PictureSize>?
    /// Frames per second.
    package var frameRate: Marked<FrameRate>?
    /// Samples per second, 8000…192000.
    package var sampleRate: Marked<Int>?
    /// The number of channels, within ``Limits/channels``.
    package var channels: Marked<Int>?
    /// The colour space of the picture.
    package var color: Marked<ColorDescription>?
    /// The colour where no picture is, `#rrggbb` in lower case.
    package var background: Marked<String>?
    /// The `format` object, or the document when there is none.
    package var mark: SourceMark
}
