import CompositionModel
import Timing

/// Where a mix is cut into pieces that are measured by themselves. Loudness is measured in cells of ten seconds
/// (docs/design/sound.md, "Loudness"): pieces that begin where cells do give, joined, what the whole gives.
public struct MeasureGrid: Sendable, Hashable {
    /// Samples of a tenth of a second, in which loudness counts.
    public static func tenth(sampleRate: Int) -> Int64 { max((Int64(sampleRate) + 5) / 10, 1) }

    /// Samples of a cell.
    public static func cell(sampleRate: Int) -> Int64 { 100 * tenth(sampleRate: sampleRate) }

    /// Samples that a piece hears before its first: what the weighting of loudness remembers, and more.
    public static func preRoll(sampleRate: Int) -> Int64 { 2 * tenth(sampleRate: sampleRate) }

    /// Of a piece: a minute and a half.
    private static let cells: Int64 = 9

    /// Samples, from 0 to the count of all, ascending.
    public let borders: [Int64]

    /// - Parameter count: for tests: so many pieces, as far as there are cells.
    public init(sampleCount: Int64, sampleRate: Int, count: Int? = nil) {
        let cell = Self.cell(sampleRate: sampleRate)
        if let count {
            let all = max((sampleCount + cell - 1) / cell, 1)
            let parts = min(max(Int64(count), 1), all)
            borders = (0..<parts).map { all * $0 / parts * cell } + [sampleCount]
        } else {
            // The last piece is half to one and a half times as long as the others.
            let length = Self.cells * cell
            let parts = max(1, (sampleCount + length / 2) / length)
            borders = (0..<parts).map { $0 * length } + [sampleCount]
        }
    }
}
