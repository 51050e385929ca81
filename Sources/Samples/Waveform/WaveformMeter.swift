public import Shared

/// One pixel of a waveform: what the samples of a piece of sound reach, and how loud they are. Only integers, so that
/// pieces join to exactly what the whole is.
public struct WaveformColumn: Sendable, Hashable {
    /// Σ sample².
    public private(set) var squares: UInt128 = 0
    public private(set) var count: Int64 = 0
    /// Steps of 24 bits; 0 and 0 of no sample.
    public private(set) var least: Int32 = 0
    public private(set) var most: Int32 = 0

    public init() {}

    public mutating func take(_ samples: UnsafeBufferPointer<Int32>) {
        guard let first = samples.first else { return }
        var (low, high) = count == 0 ? (first, first) : (least, most)
        for start in stride(from: 0, to: samples.count, by: 4096) {
            var sum: UInt64 = 0
            for sample in samples[start..<min(start + 4096, samples.count)] {
                low = min(low, sample)
                high = max(high, sample)
                // 2^46 × 4096 fits.
                sum &+= UInt64(truncatingIfNeeded: Int64(sample) &* Int64(sample))
            }
            squares += UInt128(sum)
        }
        (least, most) = (low, high)
        count += Int64(samples.count)
    }

    /// Joins what another piece gave.
    public mutating func take(_ other: WaveformColumn) {
        guard other.count > 0 else { return }
        least = count == 0 ? other.least : min(least, other.least)
        most = count == 0 ? other.most : max(most, other.most)
        squares += other.squares
        count += other.count
    }

    /// Steps of 24 bits: √(Σ sample² / count).
    public var rootMeanSquare: Double { count > 0 ? (Double(squares) / Double(count)).squareRoot() : 0 }

    /// The largest size of a sample, in steps.
    public var peak: Int32 { max(abs(least), abs(most)) }
}

/// Draws nothing and keeps nothing but its columns: one pass over sound of any length.
public final class WaveformMeter {
    private let grid: WaveformGrid
    private let sampleCount: Int64
    private var place: Int64 = 0
    private var column = 0
    private var end: Int64
    /// `[channel][column]`
    private var found: [[WaveformColumn]]

    /// - Parameter sampleCount: of a channel, above 0.
    public init(_ grid: WaveformGrid, sampleCount: Int64, channels: Int) {
        self.grid = grid
        self.sampleCount = sampleCount
        let columns = grid.columnCount(of: sampleCount)
        found = Array(repeating: Array(repeating: WaveformColumn(), count: columns), count: channels)
        end = grid.start(ofColumn: 1, of: sampleCount)
    }

    /// Takes the next samples, steps of 24 bits.
    public func take(_ channels: [UnsafeBufferPointer<Int32>]) {
        let length = channels.first?.count ?? 0
        var taken = 0
        while taken < length {
            while place >= end, column + 1 < found[0].count {
                column += 1
                end = grid.start(ofColumn: column + 1, of: sampleCount)
            }
            let isLast = column + 1 == found[0].count
            let step = isLast ? length - taken : min(Int(min(end - place, 1 << 30)), length - taken)
            for (index, channel) in channels.enumerated() {
                found[index][column].take(UnsafeBufferPointer(rebasing: channel[taken..<taken + step]))
            }
            taken += step
            place += Int64(step)
        }
    }

    /// `[channel][column]`. With more columns than samples, a sample fills those that it is nearest behind.
    public var columns: [[WaveformColumn]] {
        guard sampleCount < Int64(found[0].count) else { return found }
        return found.map { channel in
            var filled = channel
            for index in filled.indices.reversed().dropFirst() where filled[index].count == 0 {
                filled[index] = filled[index + 1]
            }
            return filled
        }
    }

    /// What each channel is as a whole.
    public var totals: [WaveformColumn] {
        found.map { channel in channel.reduce(into: WaveformColumn()) { $0.take($1) } }
    }
}
