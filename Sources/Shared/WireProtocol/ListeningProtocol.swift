// What a parent asks of `cutfarm-render` when sound is looked at instead of encoded.

/// How loud the mix of a task is.
public struct LoudnessRequest: Sendable, Hashable, Codable {
    public var task: SoundTask
    /// In the order of the task's assets.
    public var sources: [SourceFile]
    /// Folder for decoded sound while it works.
    public var scratchFolder: String

    public init(task: SoundTask, sources: [SourceFile], scratchFolder: String) {
        self.task = task
        self.sources = sources
        self.scratchFolder = scratchFolder
    }
}

/// Loudness of a programme by EBU R128.
public struct LoudnessSummary: Sendable, Hashable, Codable {
    /// LUFS; nil for what is silent or shorter than 0.4 s.
    public var integrated: Double?
    /// LU.
    public var range: Double?
    /// dBTP; nil for silence.
    public var truePeak: Double?
    /// LUFS of the loudest 0.4 s and 3 s.
    public var maximumMomentary: Double?
    public var maximumShortTerm: Double?
    /// Of a channel.
    public var sampleCount: Int64
    public var sampleRate: Int

    public init(
        integrated: Double?,
        range: Double?,
        truePeak: Double?,
        maximumMomentary: Double?,
        maximumShortTerm: Double?,
        sampleCount: Int64,
        sampleRate: Int
    ) {
        self.integrated = integrated
        self.range = range
        self.truePeak = truePeak
        self.maximumMomentary = maximumMomentary
        self.maximumShortTerm = maximumShortTerm
        self.sampleCount = sampleCount
        self.sampleRate = sampleRate
    }

    /// Every key is there: what there is no number for is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(integrated, forKey: .integrated)
        try container.encode(range, forKey: .range)
        try container.encode(truePeak, forKey: .truePeak)
        try container.encode(maximumMomentary, forKey: .maximumMomentary)
        try container.encode(maximumShortTerm, forKey: .maximumShortTerm)
        try container.encode(sampleCount, forKey: .sampleCount)
        try container.encode(sampleRate, forKey: .sampleRate)
    }
}

/// The mix of a task as a waveform.
public struct WaveformRequest: Sendable, Hashable, Codable {
    public var task: SoundTask
    /// In the order of the task's assets.
    public var sources: [SourceFile]
    public var scratchFolder: String
    public var order: WaveformOrder
    public var output: String

    public init(
        task: SoundTask,
        sources: [SourceFile],
        scratchFolder: String,
        order: WaveformOrder,
        output: String
    ) {
        self.task = task
        self.sources = sources
        self.scratchFolder = scratchFolder
        self.order = order
        self.output = output
    }
}

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

/// Which samples a column of a waveform stands for.
public enum WaveformGrid: Sendable, Hashable, Codable {
    /// Column i of `columns` begins at sample ⌊i × count / columns⌋.
    case evenly(columns: Int)
    /// Column i begins at sample i × `samples`; the last may be short.
    case every(samples: Int64)

    public func columnCount(of sampleCount: Int64) -> Int {
        switch self {
        case .evenly(let columns): columns
        case .every(let samples): sampleCount > 0 ? Int((sampleCount - 1) / samples + 1) : 1
        }
    }

    public func start(ofColumn column: Int, of sampleCount: Int64) -> Int64 {
        switch self {
        case .evenly(let columns): Int64(Int128(column) * Int128(sampleCount) / Int128(columns))
        case .every(let samples): Int64(min(Int128(column) * Int128(samples), Int128(sampleCount)))
        }
    }

    /// Where the next one begins; of the last, all that remains is its own.
    public func end(ofColumn column: Int, of sampleCount: Int64) -> Int64 {
        column + 1 >= columnCount(of: sampleCount) ? sampleCount : start(ofColumn: column + 1, of: sampleCount)
    }

    /// Those in which the samples of a piece lie.
    /// - Parameter piece: not empty.
    public func columns(of piece: Range<Int64>, of sampleCount: Int64) -> Range<Int> {
        column(of: piece.lowerBound, of: sampleCount)..<column(of: piece.upperBound - 1, of: sampleCount) + 1
    }

    /// The last column that begins at `sample` or before it.
    private func column(of sample: Int64, of sampleCount: Int64) -> Int {
        switch self {
        // ⌊i × n / w⌋ ≤ s where i × n < (s + 1) × w.
        case .evenly(let columns): Int((Int128(sample + 1) * Int128(columns) - 1) / Int128(max(sampleCount, 1)))
        case .every(let samples): Int(sample / samples)
        }
    }
}
