package import Timing

/// The format of the whole edit. Every field is resolved.
package struct Format: Sendable, Hashable, Codable {
    package var size: PictureSize
    package var frameRate: FrameRate
    /// The sample rate in Hz.
    package var sampleRate: Int
    /// The number of sound channels, within ``Limits/channels``.
    package var channels: Int
    package var color: ColorDescription
    /// The colour below all layers, `#rrggbb`.
    package var background: String

    package init(
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
