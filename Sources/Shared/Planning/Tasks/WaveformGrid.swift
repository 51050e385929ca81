/// How the samples of a mix are divided into the columns of a waveform.
package enum WaveformGrid: Sendable, Hashable, Codable {
    /// Divides the mix into `columns` columns: column i begins at sample ⌊i × sampleCount / columns⌋.
    case evenly(columns: Int)
    /// Gives each column `samples` samples: column i begins at sample i × `samples`; the last column may be shorter.
    case every(samples: Int64)

    /// The number of columns for `sampleCount` samples per channel; at least 1 for ``every(samples:)``.
    package func columnCount(of sampleCount: Int64) -> Int {
        switch self {
        case .evenly(let columns): columns
        case .every(let samples): sampleCount > 0 ? Int((sampleCount - 1) / samples + 1) : 1
        }
    }

    /// The first sample of a column, counted from the start of the mix; at most `sampleCount`.
    package func start(ofColumn column: Int, of sampleCount: Int64) -> Int64 {
        switch self {
        case .evenly(let columns): Int64(Int128(column) * Int128(sampleCount) / Int128(columns))
        case .every(let samples): Int64(min(Int128(column) * Int128(samples), Int128(sampleCount)))
        }
    }

    /// The sample after the last one of a column: where the next column begins, or `sampleCount` for the last column.
    package func end(ofColumn column: Int, of sampleCount: Int64) -> Int64 {
        column + 1 >= columnCount(of: sampleCount) ? sampleCount : start(ofColumn: column + 1, of: sampleCount)
    }

    /// The columns that the samples of a piece lie in. The end is exclusive.
    /// - Parameters:
    ///   - piece: The samples of the piece within the mix; not empty.
    ///   - sampleCount: The number of samples per channel of the whole mix.
    package func columns(of piece: Range<Int64>, of sampleCount: Int64) -> Range<Int> {
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
