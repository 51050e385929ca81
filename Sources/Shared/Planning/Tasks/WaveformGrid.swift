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
