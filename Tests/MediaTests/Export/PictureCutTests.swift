import CompositionModel
import Testing
import Timing

@testable import Media

/// Which packets a part of a stream needs, on streams that are drawn here: each word is a packet in decode order, a
/// letter for its kind (I an entry, K another key picture, – none) and the frame that it shows.
struct PictureCutTests {
    private func index(_ words: String, hidden: Set<Int> = []) throws -> FrameIndex {
        let packets = words.split(separator: " ").enumerated().map { number, word in
            let frame = Int64(word.dropFirst()) ?? 0
            return FrameIndex.Entry(
                pts: frame,
                dts: Int64(number),
                position: -1,
                isKey: word.first != "-",
                isEntryPoint: word.first == "I",
                isDiscarded: hidden.contains(number)
            )
        }
        let shown = packets.filter { !$0.isDiscarded }.map(\.pts).sorted()
        return FrameIndex(
            streamIndex: 0,
            timeBase: try RationalTime(1, 25),
            origin: shown[0],
            constantFrameDuration: try RationalTime(1, 25),
            packets: packets,
            shown: shown,
            endPts: (shown.last ?? 0) + 1
        )
    }

    private static let closed = "I0 -4 -2 -1 -3 I5 -9 -7 -6 -8 I10 -11"
    private static let open = "I0 -4 -2 -1 -3 I8 -6 -5 -7 -12 -10 -9 -11"

    @Test(arguments: [
        (closed, 6..<7, false, 5...9, 5..<10), (closed, 5..<6, false, 5...5, 5..<6),
        (closed, 0..<1, false, 0...0, 0..<1),
        (closed, 3..<6, false, 0...5, 0..<6), (closed, 6..<8, true, 5...8, 6..<8),
        (closed, 9..<12, true, 5...11, 9..<12),
        (open, 9..<10, false, 5...12, 8..<13), (open, 6..<7, false, 0...8, 0..<9), (open, 6..<8, true, 0...8, 6..<8),
    ])
    func partsGrowToWhereTheyMay(
        words: String,
        wanted: Range<Int64>,
        isExact: Bool,
        packets: ClosedRange<Int>,
        frames: Range<Int64>
    ) throws {
        let cut = try PictureCut(index(words), wanted: wanted, isExact: isExact) { _ throws(MediaError) in true }
        #expect(cut.packets == packets && cut.frames == frames)
    }

    /// Pictures behind an entry that are shown before it refer to what is not copied.
    @Test func leadingPicturesAreLeftOut() throws {
        let cut = try PictureCut(index(Self.open), wanted: 9..<13, isExact: false) { _ throws(MediaError) in true }
        #expect(cut.skipped == [6, 7, 8] && !cut.hides)
    }

    @Test func anEntryThatIsNotSafeIsPassedOver() throws {
        let cut = try PictureCut(index(Self.closed), wanted: 6..<7, isExact: false) { packet throws(MediaError) in
            packet != 5
        }
        #expect(cut.packets.lowerBound == 0 && cut.frames.lowerBound == 0)
    }

    @Test func hiddenPicturesAreTold() throws {
        let exact = try PictureCut(index(Self.closed), wanted: 6..<8, isExact: true) { _ throws(MediaError) in true }
        #expect(exact.hides)
        let whole = try PictureCut(index(Self.closed), wanted: 0..<12, isExact: false) { _ throws(MediaError) in true }
        #expect(!whole.hides && whole.packets == 0...11)
        #expect(throws: MediaError.self) {
            try PictureCut(index(Self.closed, hidden: [2]), wanted: 0..<11, isExact: false) { _ throws(MediaError) in
                true
            }
        }
    }

    @Test func decodeTimesRiseAndComeFirst() throws {
        let index = try index(Self.open)
        let cut = try PictureCut(index, wanted: 0..<13, isExact: false) { _ throws(MediaError) in true }
        let times = try PictureTimes(cut, index, PictureClock(index), end: 13)
        let entries = cut.packets.compactMap { times.entries[$0] }
        #expect(entries.map(\.order) == (0..<13).map { Int64($0) })
        #expect(entries.allSatisfy { $0.order - times.delay <= $0.pts } && times.delay == 2)
        #expect(entries.allSatisfy { $0.duration == 1 })
    }

    @Test(arguments: [
        ("01:00:00:00", 25, 50, "01:00:02:00"), ("23:59:59:24", 25, 1, "00:00:00:00"),
        ("00:00:59;29", 0, 1, "00:01:00;02"),
        ("00:00:59.29", 0, 1, "00:01:00;02"),
    ])
    func timecodeMovesWithTheCut(text: String, rate: Int64, frames: Int64, expected: String) throws {
        let rate = rate == 0 ? try FrameRate(30000, 1001) : try FrameRate(rate)
        #expect(ExportTags.moved(text, by: (frames, rate)) == expected)
        #expect(ExportTags.moved("noon", by: (frames, rate)) == nil)
    }
}
