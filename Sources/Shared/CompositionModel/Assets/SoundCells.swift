import Timing

/// Where decoding of a sound stream begins, beside its start: a fixed grid of the source, found when it is probed.
/// ```
/// packets   …│   │   │ e │   │   │ b │   │ …
///                      └ lead ─┘   └ the cell's first sample
/// ```
/// Each cell is decoded by a decoder of its own, whoever asks and from wherever: opened at packet `e`, heard from
/// packet `b` on. So a sample is a function of the file and its number, also where a decoder draws on a generator (AAC
/// with noise substitution, AC-3), and any piece costs what it is long.
public struct SoundCells: Sendable, Hashable, Codable {
    /// Sums of two such numbers are numbers.
    private static let largest: Int64 = 1 << 61

    /// Seconds of a cell, at least.
    public static let seconds = 10

    /// The first samples of all cells but the first, ascending from above 0.
    public var starts: [Int64]
    /// For each of them the pts of packet `e`, in ticks of the stream.
    public var entryTimes: [Int64]
    /// And its position in the file in bytes; −1 where it is unknown.
    public var entryPositions: [Int64]
    /// Packets from `e` up to `b`, which are decoded and not heard: what a decoder remembers.
    public var lead: Int
    /// Pts of sample 0.
    public var origin: Int64
    /// The stream has no container, so that times count only from its start and packets are found by their bytes; nil
    /// is false.
    public var isByPosition: Bool?

    public init(lead: Int, origin: Int64, isByPosition: Bool?) {
        (starts, entryTimes, entryPositions) = ([], [], [])
        (self.lead, self.origin, self.isByPosition) = (lead, origin, isByPosition)
    }

    /// Its number; 0 is the one at the stream's start.
    public func cell(of sample: Int64) -> Int { starts.partitionPoint { $0 > sample } }

    public func start(ofCell cell: Int) -> Int64 { cell > 0 ? starts[cell - 1] : 0 }

    /// Nil for the last one.
    public func end(ofCell cell: Int) -> Int64? { starts.indices.contains(cell) ? starts[cell] : nil }

    /// Whether the lists belong together, as far as that can be seen without the file.
    public var isConsistent: Bool {
        let numbers = -SoundCells.largest...SoundCells.largest
        return starts.count == entryTimes.count && starts.count == entryPositions.count && 0...65_536 ~= lead
            && numbers.contains(origin) && entryTimes.allSatisfy(numbers.contains)
            && starts.last ?? 0 <= SoundCells.largest
            && starts.first ?? 1 > 0 && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }
    }
}
