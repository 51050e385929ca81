public import Timing

/// The format of the whole edit. Every field is resolved.
public struct Format: Sendable, Hashable, Codable {
    public var size: PictureSize
    public var frameRate: FrameRate
    /// The sample rate in Hz.
    public var sampleRate: Int
    /// The number of sound channels, within ``Limits/channels``.
    public var channels: Int
    public var color: ColorDescription
    /// The colour below all layers, `#rrggbb`.
    public var background: String

    public init(
        size: PictureSize,
        frameRate: FrameRate,
        sampleRate: Int,
        channels: Int,
        color: ColorDescription,
        background: String
    ) {
        self.size = size
        self.frameRate = frameRate
        self.sampleRate = sampleRate
        self.channels = channels
        self.color = color
        self.background = background
    }
}
