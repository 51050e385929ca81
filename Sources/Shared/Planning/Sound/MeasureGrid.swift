import CompositionModel
import Timing

/// The borders at which a mix is divided into pieces that are measured separately. Loudness is measured in cells of ten
/// seconds (docs/design/sound.md, "Loudness"): pieces that begin where cells begin give, when joined, the same result
/// as the whole.
package struct MeasureGrid: Sendable, Hashable {
    /// The samples in a tenth of a second, the step in which loudness is measured; at least 1.
    package static func tenth(sampleRate: Int) -> Int64 { max((Int64(sampleRate) + 5) / 10, 1) }

    /// The samples in a cell of ten seconds.
    package static func cell(sampleRate: Int) -> Int64 { 100 * tenth(sampleRate: sampleRate) }

    /// The samples mixed before a piece's first one: more than the loudness weighting filter remembers.
    package static func preRoll(sampleRate: Int) -> Int64 { 2 * tenth(sampleRate: sampleRate) }

    /// The cells in a piece: a minute and a half.
    private static let cells: Int64 = 9

    /// The borders in samples per channel, ascending from 0 to the sample count.
    package let borders: [Int64]

    /// Chooses the borders of a mix of `sampleCount` samples per channel.
    /// - Parameter count: The number of pieces, for tests, at most one per cell; nil chooses by length.
    package init(sampleCount: Int64, sampleRate: Int, count: Int? = nil) {
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
