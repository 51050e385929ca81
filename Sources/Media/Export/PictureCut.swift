import CompositionModel
import Timing

/// The packets of a picture stream that a part of it needs, and the frames of them that are presented.
///
/// A part begins at an entry, from which everything that is shown decodes without what stands before, and ends behind a
/// packet up to which, in decode order, exactly the frames before it stand (the prefix rule):
///
/// ```
/// decode order   I0  P4  B2  b1  b3 │ P8  B6  b5  b7 │ I9
/// shown          0   4   2   1   3  │ 8   6   5   7  │ 9       a part may end before frame 5 or 9
/// ```
///
/// With an edit list it may begin and end at any frame: what else the packets hold is hidden.
struct PictureCut: Equatable {
    /// The packets from the entry to the last one, in decode order.
    var packets: ClosedRange<Int>
    /// Those of ``packets`` that are left out: leading pictures, which refer to pictures before the entry.
    var skipped: Set<Int>
    /// The shown frames that are presented.
    var frames: Range<Int64>
    /// Whether ``packets`` hold pictures that must be hidden before the first presented frame or after the last.
    var hides: Bool

    /// - Parameters:
    ///   - wanted: shown frames, at least one.
    ///   - isExact: whether exactly these are presented; else the part grows to the nearest entry and end.
    ///   - isSafe: whether decoding may begin at a packet that the index calls an entry.
    /// - Throws: ``MediaError/needsEncoding(_:)`` where the times of the pictures allow no cut.
    init(
        _ index: FrameIndex,
        wanted: Range<Int64>,
        isExact: Bool,
        isSafe: (Int) throws(MediaError) -> Bool
    ) throws(MediaError) {
        let positions = index.shownPositions()
        guard positions.count == index.shown.count, !wanted.isEmpty, wanted.upperBound <= Int64(positions.count),
            Set(positions).count == positions.count
        else { throw .needsEncoding("several of its pictures have one time") }
        var numbers = [Int64?](repeating: nil, count: index.packets.count)
        for (number, position) in positions.enumerated() { numbers[position] = Int64(number) }
        let entry = try Self.entry(index, before: positions[Int(wanted.lowerBound)], isSafe)
        let first = isExact ? wanted.lowerBound : Self.firstFrame(index, from: entry, numbers, wanted)
        let last =
            isExact
            ? positions[Int(wanted.lowerBound)..<Int(wanted.upperBound)].max() ?? entry
            : Self.lastPacket(index, from: entry, numbers, reaching: wanted.upperBound)
        let kept = entry...max(entry, last)
        let skipped = Self.leading(index, kept, numbers, first: first)
        let isKept = { (packet: Int) in !skipped.contains(packet) }
        let end = isExact ? wanted.upperBound : 1 + (kept.filter(isKept).compactMap { numbers[$0] }.max() ?? first)
        let presented = first..<end
        guard kept.filter(isKept).compactMap({ numbers[$0] }).count(where: presented.contains) == presented.count else {
            throw .needsEncoding("the order of its pictures' times is not that in which they are decoded")
        }
        let hidden = kept.filter { packet in isKept(packet) && !(numbers[packet].map(presented.contains) ?? false) }
        let times = index.shown[Int(first)]...index.shown[Int(end - 1)]
        guard !hidden.contains(where: { times.contains(index.packets[$0].pts) }) else {
            throw .needsEncoding("its edit list hides pictures between others")
        }
        (packets, self.skipped, frames, hides) = (kept, skipped, presented, !hidden.isEmpty)
    }

    /// The last entry from which the packet of the first wanted frame can be decoded.
    private static func entry(
        _ index: FrameIndex,
        before packet: Int,
        _ isSafe: (Int) throws(MediaError) -> Bool
    ) throws(MediaError) -> Int {
        let time = index.packets[packet].pts
        let first = index.packets.firstIndex(where: \.isEntryPoint) ?? 0
        var candidate = packet
        while candidate > first {
            let entry = index.packets[candidate]
            if entry.isEntryPoint, entry.pts <= time, try isSafe(candidate) { return candidate }
            candidate -= 1
        }
        return min(first, packet)
    }

    /// The first frame that is shown from the entry on.
    private static func firstFrame(
        _ index: FrameIndex,
        from entry: Int,
        _ numbers: [Int64?],
        _ wanted: Range<Int64>
    ) -> Int64 {
        guard entry > (index.packets.firstIndex(where: \.isEntryPoint) ?? 0) else { return 0 }
        let time = index.packets[entry].pts
        return Int64(index.shown.partitionPoint { $0 >= time })
    }

    /// The first packet behind which a part may end that has all frames before `end`.
    private static func lastPacket(
        _ index: FrameIndex,
        from entry: Int,
        _ numbers: [Int64?],
        reaching end: Int64
    ) -> Int {
        let lastShown = numbers.lastIndex { $0 != nil } ?? entry
        // The least number of a frame in each packet and all behind it.
        var least = [Int64](repeating: .max, count: numbers.count + 1)
        for packet in numbers.indices.reversed() { least[packet] = min(least[packet + 1], numbers[packet] ?? .max) }
        var highest: Int64 = -1
        for packet in entry...max(entry, lastShown) {
            highest = max(highest, numbers[packet] ?? -1)
            if numbers[packet] != nil, highest + 1 >= end, least[packet + 1] > highest { return packet }
        }
        return max(entry, lastShown)
    }

    /// Pictures behind the entry that are shown before it.
    private static func leading(
        _ index: FrameIndex,
        _ kept: ClosedRange<Int>,
        _ numbers: [Int64?],
        first: Int64
    ) -> Set<Int> {
        let time = index.packets[kept.lowerBound].pts
        return Set(
            kept.dropFirst().filter { packet in
                guard index.packets[packet].pts < time else { return false }
                return numbers[packet].map { $0 < first } ?? !index.packets[packet].isDiscarded
            }
        )
    }
}
