public import Timing

/// Of the whole edit. Every field is resolved.
public struct Format: Sendable, Hashable, Codable {
    public var size: PictureSize
    public var frameRate: FrameRate
    public var sampleRate: Int
    /// 1 or 2 in this version.
    public var channels: Int
    public var color: ColorDescription
    /// `#rrggbb`.
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
