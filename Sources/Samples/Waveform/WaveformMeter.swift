package import Planning

/// One pixel of a waveform: what the samples of a piece of sound reach, and how loud they are. Only integers, so that
/// pieces join to exactly what the whole is.
package struct WaveformColumn: Sendable, Hashable {
    /// Σ sample².
    package private(set) var squares: UInt128 = 0
    /// The number of samples.
    package private(set) var count: Int64 = 0
    /// The lowest sample in steps of 24 bits, also beyond full scale; 0 without a sample.
    package private(set) var least: Int32 = 0
    /// The highest sample in steps of 24 bits, also beyond full scale; 0 without a sample.
    package private(set) var most: Int32 = 0

    package init() {}

    /// - Returns: nil for what no samples give.
    init?(squares: UInt128, count: Int64, least: Int32, most: Int32) {
        guard count >= 0, least <= most else { return nil }
        let furthest = UInt128(max(abs(Int64(least)), abs(Int64(most))))
        guard squares <= furthest * furthest * UInt128(count), count > 0 || (least, most) == (0, 0) else { return nil }
        (self.squares, self.count, self.least, self.most) = (squares, count, least, most)
    }

    /// Takes more samples, in steps of 24 bits.
    package mutating func take(_ samples: UnsafeBufferPointer<Int32>) {
        guard let first = samples.first else { return }
        var (low, high) = count == 0 ? (first, first) : (least, most)
        for start in stride(from: 0, to: samples.count, by: 4096) {
            let part = samples[start..<min(start + 4096, samples.count)]
            var (sum, lowest, highest): (UInt64, Int32, Int32) = (0, samples[start], samples[start])
            for sample in part {
                lowest = min(lowest, sample)
                highest = max(highest, sample)
                sum &+= UInt64(truncatingIfNeeded: Int64(sample) &* Int64(sample))
            }
            // Within full scale 2^46 × 4096 fits.
            squares += Self.isFullScale(lowest, highest) ? UInt128(sum) : Self.squares(of: part)
            (low, high) = (min(low, lowest), max(high, highest))
        }
        (least, most) = (low, high)
        count += Int64(samples.count)
    }

    private static func squares(of samples: Slice<UnsafeBufferPointer<Int32>>) -> UInt128 {
        samples.reduce(into: 0) { $0 += UInt128(UInt64(Int64($1) * Int64($1))) }
    }

    private static func isFullScale(_ least: Int32, _ most: Int32) -> Bool {
        least >= -(1 << 23) && most <= (1 << 23) - 1
    }

    /// Whether a sample is louder than integers in a file can be.
    package var isOver: Bool { !Self.isFullScale(least, most) }

    /// Joins what another piece gave.
    package mutating func take(_ other: WaveformColumn) {
        guard other.count > 0 else { return }
        least = count == 0 ? other.least : min(least, other.least)
        most = count == 0 ? other.most : max(most, other.most)
        squares += other.squares
        count += other.count
    }

    /// Steps of 24 bits: √(Σ sample² / count).
    package var rootMeanSquare: Double { count > 0 ? (Double(squares) / Double(count)).squareRoot() : 0 }

    /// The largest size of a sample, in steps.
    package var peak: Int64 { max(abs(Int64(least)), abs(Int64(most))) }
}

/// Draws nothing and keeps nothing but its columns: one pass over sound of any length, or a piece of it.
package final class WaveformMeter {
    private let grid: WaveformGrid
    private let sampleCount: Int64
    private var place: Int64
    private var column: Int
    private var end: Int64
    /// The columns that are kept.
    private let own: Range<Int>
    /// `[channel][column]`, of ``own``.
    private var found: [[WaveformColumn]]

    /// - Parameters:
    ///   - sampleCount: samples of a channel, above 0.
    ///   - piece: the samples that will be taken; nil is all.
    package init(_ grid: WaveformGrid, sampleCount: Int64, channels: Int, piece: Range<Int64>? = nil) {
        (self.grid, self.sampleCount) = (grid, sampleCount)
        own = piece.map { grid.columns(of: $0, of: sampleCount) } ?? 0..<grid.columnCount(of: sampleCount)
        found = Array(repeating: Array(repeating: WaveformColumn(), count: own.count), count: channels)
        (place, column) = (piece?.lowerBound ?? 0, own.lowerBound)
        end = grid.start(ofColumn: column + 1, of: sampleCount)
    }

    /// Takes the next samples, steps of 24 bits.
    package func take(_ channels: [UnsafeBufferPointer<Int32>]) {
        let length = channels.first?.count ?? 0
        var taken = 0
        while taken < length {
            while place >= end, column + 1 < own.upperBound {
                column += 1
                end = grid.start(ofColumn: column + 1, of: sampleCount)
            }
            let isLast = column + 1 == own.upperBound
            let step = isLast ? length - taken : min(Int(min(end - place, 1 << 30)), length - taken)
            for (index, channel) in channels.enumerated() {
                found[index][column - own.lowerBound].take(UnsafeBufferPointer(rebasing: channel[taken..<taken + step]))
            }
            taken += step
            place += Int64(step)
        }
    }

    /// Takes what another meter found of a piece.
    /// - Returns: false where it is not of this grid.
    func take(_ piece: WaveformPiece) -> Bool {
        guard piece.wholeSampleCount == sampleCount, piece.columns.count == found.count,
            let range = piece.columns(of: grid), own.contains(range.upperBound - 1)
        else { return false }
        for (lane, columns) in piece.columns.enumerated() {
            for (index, column) in zip(range, columns) { found[lane][index - own.lowerBound].take(column) }
        }
        return true
    }

    /// The columns of a piece as they were taken, and the first one's number.
    package var pieceColumns: (first: Int, columns: [[WaveformColumn]]) { (own.lowerBound, found) }

    /// The columns of all: `[channel][column]`. With more columns than samples, a sample fills those that it is nearest
    /// behind.
    package var columns: [[WaveformColumn]] {
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
    package var totals: [WaveformColumn] {
        found.map { channel in channel.reduce(into: WaveformColumn()) { $0.take($1) } }
    }
}
