public import CompositionModel

/// How a waveform is made (docs/waveform.md).
public struct WaveformOrder: Sendable, Hashable, Codable {
    public enum Format: String, Sendable, Hashable, Codable, CaseIterable { case png, svg, json }
    public enum Channels: String, Sendable, Hashable, Codable, CaseIterable {
        /// A lane for each.
        case each
        /// Their mean.
        case mixed
    }

    /// Whether an image of so many pixels can be made: a side has up to ``longestSide``, and libavutil makes no
    /// picture, and opens no encoder, of (8 × width + 1024) × (height + 128) ≥ 2^31 − 1 (av_image_check_size2).
    public static func canPaint(_ size: PictureSize) -> Bool {
        let sides = 1...longestSide
        return sides.contains(size.width) && sides.contains(size.height)
            && (8 * size.width + 1024) * (size.height + 128) < Int(Int32.max)
    }

    /// Longest side of an image, and most columns of an evenly divided waveform.
    public static let longestSide = 16_384
    /// Of all channels together.
    public static let mostColumns: Int64 = 1 << 23

    public var format: Format
    public var grid: WaveformGrid
    /// Pixels; of all lanes.
    public var height: Int
    public var channels: Channels
    public var colors: WaveformColors
    /// Of JSON's numbers: 8, 16 or 24.
    public var bits: Int

    public init(
        format: Format,
        grid: WaveformGrid,
        height: Int,
        channels: Channels,
        colors: WaveformColors,
        bits: Int
    ) {
        self.format = format
        self.grid = grid
        self.height = height
        self.channels = channels
        self.colors = colors
        self.bits = bits
    }
}

/// `#rrggbb` each.
public struct WaveformColors: Sendable, Hashable, Codable {
    public var background: String
    public var peak: String
    public var average: String
    /// Of columns that are louder than full scale.
    public var over: String

    public init(background: String, peak: String, average: String, over: String) {
        self.over = over
        self.background = background
        self.peak = peak
        self.average = average
    }

    /// Red, green and blue of a colour written as `#rrggbb`; nil for anything else.
    public static func bytes(_ color: String) -> [UInt8]? {
        let digits = color.utf8.dropFirst()
        guard color.hasPrefix("#"), digits.count == 6, let value = UInt32(color.dropFirst(), radix: 16),
            color.dropFirst().allSatisfy(\.isHexDigit)
        else { return nil }
        return [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
}
