import Timing

/// The points besides the start at which decoding of a sound stream begins: a fixed grid of the source, found when it
/// is probed.
/// ```
/// packets   …│   │   │ e │   │   │ b │   │ …
///                      └ preRoll ─┘   └ the cell's first sample
/// ```
/// Each cell is decoded by a decoder of its own, whichever part is asked for: it is opened at packet `e` and heard from
/// packet `b` on. So a sample is a function of the file and its number only, even where a decoder uses a random
/// generator (AAC with noise substitution, AC-3), and the cost of a piece grows with its length.
package struct SoundCells: Sendable, Hashable, Codable {
    /// The largest number accepted; the sum of two such numbers does not overflow.
    private static let largest: Int64 = 1 << 61

    /// The least length of a cell, in seconds.
    package static let seconds = 10

    /// The first sample of each cell but the first, ascending from above 0.
    package var starts: [Int64]
    /// The pts of packet `e` of each cell but the first, in ticks of the stream.
    package var entryTimes: [Int64]
    /// The position of packet `e` of each cell but the first, in bytes from the start of the file; −1 where it is
    /// unknown.
    package var entryPositions: [Int64]
    /// The pre-roll: the number of packets from `e` up to, but not including, `b`, which are decoded and not heard
    /// because the decoder remembers them.
    package var preRoll: Int
    /// The pts of sample 0, in ticks of the stream.
    package var origin: Int64
    /// Whether the stream has no container, so that times count only from its start and packets are found by their
    /// bytes; nil means no.
    package var isByPosition: Bool?

    /// The keys in JSON, which stay what they were: facts of assets are stored.
    private enum CodingKeys: String, CodingKey {
        case starts, entryTimes, entryPositions
        case preRoll = "lead"
        case origin, isByPosition
    }

    package init(preRoll: Int, origin: Int64, isByPosition: Bool?) {
        (starts, entryTimes, entryPositions) = ([], [], [])
        (self.preRoll, self.origin, self.isByPosition) = (preRoll, origin, isByPosition)
    }

    /// The number of the cell that holds `sample`; cell 0 is at the stream's start.
    package func cell(of sample: Int64) -> Int { starts.partitionPoint { $0 > sample } }

    /// The first sample of the cell.
    package func start(ofCell cell: Int) -> Int64 { cell > 0 ? starts[cell - 1] : 0 }

    /// The first sample after the cell; nil for the last cell.
    package func end(ofCell cell: Int) -> Int64? { starts.indices.contains(cell) ? starts[cell] : nil }

    /// Whether the lists fit together and their numbers are in range, as far as can be seen without the file.
    package var isConsistent: Bool {
        let numbers = -SoundCells.largest...SoundCells.largest
        return starts.count == entryTimes.count && starts.count == entryPositions.count && 0...65_536 ~= preRoll
            && numbers.contains(origin) && entryTimes.allSatisfy(numbers.contains)
            && starts.last ?? 0 <= SoundCells.largest
            && starts.first ?? 1 > 0 && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }
    }
}
