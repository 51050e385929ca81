package import CompositionModel

/// The settings of a waveform (docs/waveform.md).
package struct WaveformOrder: Sendable, Hashable, Codable {
    /// The file format of a waveform.
    package enum Format: String, Sendable, Hashable, Codable, CaseIterable { case png, svg, json }
    /// How the channels of a mix are shown.
    package enum Channels: String, Sendable, Hashable, Codable, CaseIterable {
        /// Each channel has a lane of its own.
        case each
        /// One lane shows the mean of all channels.
        case mixed
    }

    /// Whether an image of this size, in pixels, can be made. A side has 1 to ``longestSide`` pixels, and libavutil
    /// allocates no picture and opens no encoder if (8 × width + 1024) × (height + 128) ≥ 2^31 − 1
    /// (av_image_check_size2).
    package static func canPaint(_ size: PictureSize) -> Bool {
        let sides = 1...longestSide
        return sides.contains(size.width) && sides.contains(size.height)
            && (8 * size.width + 1024) * (size.height + 128) < Int(Int32.max)
    }

    /// The longest side of an image in pixels, and the largest number of columns of an evenly divided waveform.
    package static let longestSide = 16_384
    /// The largest number of columns, summed over all lanes.
    package static let mostColumns: Int64 = 1 << 23

    /// The file format.
    package var format: Format
    /// How samples are divided into columns.
    package var grid: WaveformGrid
    /// The height of the image in pixels, over all lanes.
    package var height: Int
    /// Whether each channel has a lane, or all share one.
    package var channels: Channels
    /// The colours of an image; JSON has none.
    package var colors: WaveformColors
    /// The bits of each number in JSON: 8, 16 or 24.
    package var bits: Int

    package init(
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

/// The colours of a waveform, each as `#rrggbb`.
package struct WaveformColors: Sendable, Hashable, Codable {
    /// The colour behind the waveform.
    package var background: String
    /// The colour from the lowest to the highest sample of a column.
    package var peak: String
    /// The colour from −RMS to +RMS of a column, the root mean square of its samples.
    package var average: String
    /// The colour of columns that exceed full scale.
    package var over: String

    package init(background: String, peak: String, average: String, over: String) {
        self.over = over
        self.background = background
        self.peak = peak
        self.average = average
    }

    /// The red, green and blue bytes of a colour written as `#rrggbb`; nil for any other text.
    package static func bytes(_ color: String) -> [UInt8]? {
        let digits = color.utf8.dropFirst()
        guard color.hasPrefix("#"), digits.count == 6, let value = UInt32(color.dropFirst(), radix: 16),
            color.dropFirst().allSatisfy(\.isHexDigit)
        else { return nil }
        return [UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
}
