import CompositionModel
import Foundation
import Testing
import Timing

@testable import Media

/// Frame numbers from times, and the stored form.
struct FrameIndexTests {
    private func index(
        _ shown: [Int64],
        timeBase: (Int64, Int64),
        origin: Int64 = 0,
        constant: (Int64, Int64)?,
        end: Int64
    ) throws -> FrameIndex {
        try FrameIndex(
            streamIndex: 3,
            timeBase: RationalTime(timeBase.0, timeBase.1),
            origin: origin,
            constantFrameDuration: constant.map { try RationalTime($0.0, $0.1) },
            packets: shown.enumerated().map { number, pts in
                FrameIndex.Entry(
                    pts: pts,
                    dts: pts - 1,
                    position: Int64(number * 100) - 1,
                    isKey: number % 2 == 0,
                    isEntryPoint: number % 4 == 0,
                    isDiscarded: false
                )
            },
            shown: shown,
            endPts: end
        )
    }

    /// 30000/1001 in milliseconds: each pts is rounded, the frames' edges are not.
    @Test func constantRateIsSnapped() throws {
        let shown = (0..<1000).map { Int64((Double($0) * 1001 / 30).rounded()) }
        let index = try index(shown, timeBase: (1, 1000), constant: (1001, 30000), end: 33367)
        for frame in [0, 1, 2, 31, 500, 999] {
            let start = try RationalTime(Int64(frame) * 1001, 30000)
            let before = try start.subtracting(RationalTime(1, 1_000_000_000))
            #expect(try index.shownFrame(at: start) == frame)
            #expect(try index.shownFrame(at: before) == (frame == 0 ? nil : frame - 1))
            #expect(try index.time(ofShownFrame: frame) == start)
        }
        #expect(try index.shownFrame(at: RationalTime(1_001_000, 30000)) == nil)
    }

    /// Shown from its pts to the next one's; less than a tick early where the one before is not near.
    @Test func variableRateFollowsItsTimes() throws {
        let index = try index([900, 1000, 1350, 1351], timeBase: (1, 90000), origin: 900, constant: nil, end: 1400)
        let cases: [(Int64, Int64, Int?)] = [
            (0, 1, 0), (99, 90000, 0), (990, 900_000, 0), (991, 900_000, 1), (100, 90000, 1), (449, 90000, 1),
            (450, 90000, 2),
            (4509, 900_000, 2), (451, 90000, 3), (499, 90000, 3), (500, 90000, nil), (-1, 90000, nil),
        ]
        for (top, bottom, frame) in cases {
            #expect(try index.shownFrame(at: RationalTime(top, bottom)) == frame, "\(top)/\(bottom)")
        }
    }

    /// A second stream that begins later than the asset.
    @Test func offsetOfAnotherStream() throws {
        let index = try index([100, 140, 180], timeBase: (1, 1000), origin: 0, constant: (1, 25), end: 220)
        #expect(try index.shownFrame(at: RationalTime(99, 1000)) == nil)
        #expect(try index.shownFrame(at: RationalTime(1, 10)) == 0)
        #expect(try index.shownFrame(at: RationalTime(219, 1000)) == 2)
        #expect(try index.time(ofShownFrame: 2) == RationalTime(18, 100))
    }

    @Test func storedFormComesBack() throws {
        let index = try index(
            [-5, 1000, .max / 2, 7],
            timeBase: (1, 90000),
            origin: -5,
            constant: (1, 25),
            end: 1 << 40
        )
        let data = FrameIndexFile.encode(index)
        #expect(try FrameIndexFile.decode(data) == index)
        let empty = try self.index([], timeBase: (1, 25), constant: nil, end: 0)
        #expect(try FrameIndexFile.decode(FrameIndexFile.encode(empty)) == empty)
    }

    @Test func damageIsNoticed() throws {
        let data = FrameIndexFile.encode(try index([0, 1, 2, 3], timeBase: (1, 25), constant: nil, end: 4))
        for position in data.indices {
            var damaged = data
            damaged[position] ^= 0x10
            #expect(throws: MediaError.self) { try FrameIndexFile.decode(damaged) }
        }
        for length in 0..<data.count {
            #expect(throws: MediaError.self) { try FrameIndexFile.decode(data.prefix(length)) }
        }
    }
}

struct FrameRateFinderTests {
    private func finder(_ times: [Int64], _ ticks: Int64) throws -> FrameRateFinder {
        FrameRateFinder(times: times, timeBase: try RationalTime(1, ticks))
    }

    /// Every standard rate is recognised through every clock that containers use.
    @Test(arguments: [(24000, 1001), (24, 1), (25, 1), (30000, 1001), (50, 1), (60000, 1001)])
    func roundedClocks(top: Int64, bottom: Int64) throws {
        for ticks in [Int64(1000), 90000, 12800, 10_000_000] {
            let times = (0..<2000).map { ($0 * bottom * ticks * 2 + top) / (2 * top) }
            let rate = try FrameRate(top, bottom)
            #expect(try finder(times, ticks).constantRate(hints: [])?.framesPerSecond == rate.framesPerSecond)
        }
    }

    /// Up to a quarter of a frame is jitter; more is a variable rate.
    @Test func oneVeryLateFrameIsVariable() throws {
        var times = (0..<100).map { Int64($0) * 3600 }
        for late in [0, 1, 2, 900] as [Int64] {
            times[50] = 50 * 3600 + late
            #expect(try finder(times, 90000).constantRate(hints: [])?.description == "25", "\(late)")
        }
        times[50] += 1
        #expect(try finder(times, 90000).constantRate(hints: [FrameRate(25)]) == nil)
        #expect(try finder(times, 90000).averageRate()?.description == "25")
        // One early and one late are as far apart as one that is late by both.
        (times[50], times[60]) = (50 * 3600 + 450, 60 * 3600 - 451)
        #expect(try finder(times, 90000).constantRate(hints: [FrameRate(25)]) == nil)
    }

    @Test func unusualRates() throws {
        let odd = (0..<100).map { Int64($0) * 1000 }
        #expect(try finder(odd, 17000).constantRate(hints: [FrameRate(17)])?.description == "17")
        #expect(try finder([0, 1000, 3000], 17000).averageRate()?.description == "34/3")
    }
}

struct OrientationTests {
    @Test(arguments: [
        ([1, 0, 0, 0, 1, 0, 0, 0, 1], 0, false), ([0, 1, 0, -1, 0, 0, 0, 0, 1], 90, false),
        ([-1, 0, 0, 0, -1, 0, 0, 0, 1], 180, false), ([0, -1, 0, 1, 0, 0, 0, 0, 1], 270, false),
        ([-1, 0, 0, 0, 1, 0, 0, 0, 1], 0, true), ([1, 0, 0, 0, -1, 0, 0, 0, 1], 180, true),
        ([0, -1, 0, -1, 0, 0, 0, 0, 1], 90, true), ([0, 1, 0, 1, 0, 0, 0, 0, 1], 270, true),
    ])
    func allEight(matrix: [Int64], degrees: Int, isMirrored: Bool) {
        let scaled = matrix.map { $0 * 65536 }
        #expect(Orientation(matrix: scaled) == Orientation(degrees: degrees, isMirrored: isMirrored))
    }
}
