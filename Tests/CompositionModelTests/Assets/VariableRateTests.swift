import EditSamples
import Testing

@testable import CompositionModel
@testable import Timing

/// Streams whose frames do not come at one rate.
struct VariableRateTests {
    /// Frame n appears at the nearest tick to `places[n]` / `rate`.
    private func stream(_ places: [Int64], of rate: FrameRate, ticks: Int64) throws -> VideoStreamFacts {
        var stream = SampleAsset.variable(ticks: [1], count: Int64(places.count), gop: 10)
        stream.timeBase = try RationalTime(1, ticks)
        let times = try (places + [places[places.count - 1] + 1]).map {
            try rate.time(ofFrame: $0).count(of: RationalTime(1, ticks)).value
        }
        stream.frameTimes = Array(times.dropLast())
        stream.duration = try RationalTime(times[times.count - 1], ticks)
        stream.frameRate = try FrameRate(Int64(times.count - 2) * ticks, times[times.count - 2])
        return stream
    }

    /// 30 frames at 30 a second, then 30 at 10.
    private static let mixture = Array(Int64(0)..<30) + stride(from: 30, to: 120, by: 3)

    /// Milliseconds, which Matroska counts in, lose no frame: each is shown at its own time at 30 a second.
    @Test(arguments: [1000, 30000, 90000, 600]) func roundedTimesLoseNoFrame(ticks: Int64) throws {
        let rate = try FrameRate(30)
        let stream = try stream(Self.mixture, of: rate, ticks: ticks)
        let shown = try (0..<Int64(120)).map { try stream.frame(shownAt: rate.time(ofFrame: $0)) }
        let expected: [Int64] = Array(0..<30) + (30..<120).map { (place: Int64) -> Int64 in 20 + place / 3 }
        #expect(shown == expected)
        #expect(stream.lostFrames(at: rate) == 0)
        for frame in 0..<stream.frameCount {
            #expect(try stream.frame(shownAt: stream.time(ofFrame: frame)) == frame)
        }
    }

    /// A tick that is a frame is no rounding.
    @Test func coarseTicksAreTakenAsTheyStand() throws {
        let stream = try stream([0, 1, 2, 5], of: FrameRate(30), ticks: 30)
        #expect(try stream.frame(shownAt: RationalTime(1, 60)) == 0)
        #expect(try stream.frame(shownAt: RationalTime(39, 1000)) == 1)
        #expect(try stream.frame(shownAt: RationalTime(4, 30)) == 2)
        #expect(stream.editRate.description == "30" && stream.readRate.description == "30")
    }

    @Test(arguments: [
        (Self.mixture, "30", 30000), (Self.mixture, "30", 1000), ([0, 1, 2, 3, 5, 7, 9], "60", 1000),
        ([0, 1, 3, 4, 6, 7], "25", 1000),
        (Array(0..<300) + [302, 303], "30000/1001", 90000),
    ]) func theRateThatLosesNoFrameIsTaken(places: [Int64], name: String, ticks: Int64) throws {
        let parts = name.split(separator: "/").compactMap { Int64($0) }
        let rate = try FrameRate(parts[0], parts.count > 1 ? parts[1] : 1)
        let stream = try stream(places, of: rate, ticks: ticks)
        #expect(stream.editRate.description == name && stream.readRate.description == name)
        #expect(stream.lostFrames(at: stream.readRate) == 0)
    }

    /// A slide show, a recorded screen: an edit has to move between the pictures, whoever reads them takes them as they
    /// are.
    @Test(arguments: [
        ([0, 1, 5, 9], "1", "24"), ([0, 1, 3, 4], "5", "25"), ([0, 1, 3, 4], "10", "30"),
        ([0, 1, 3, 4], "15000/1001", "30000/1001"), ([0, 1, 2, 3, 4, 6, 7], "18", "36"),
        ([0, 1, 2, 4, 5, 7], "24000/1001", "24000/1001"),
    ]) func aSparseStreamHasARateToMoveIn(places: [Int64], own: String, edit: String) throws {
        let parts = own.split(separator: "/").compactMap { Int64($0) }
        let rate = try FrameRate(parts[0], parts.count > 1 ? parts[1] : 1)
        let stream = try stream(places, of: rate, ticks: 90000)
        #expect(stream.editRate.description == edit && stream.readRate.description == own)
        #expect(stream.lostFrames(at: stream.editRate) == 0)
    }

    /// Two frames half a millisecond apart are no reason for 2000 frames a second, which no edit has.
    @Test func anAverageThatNoEditHasIsLimited() throws {
        var stream = try stream([0, 1], of: FrameRate(2000), ticks: 90000)
        stream.frameRate = try FrameRate(2000)
        #expect(stream.editRate.description == "240")
        #expect(Limits.frameRates.contains(stream.readRate.framesPerSecond))
        stream.frameTimes = [0, 7, 90_001, 300_003, 1_000_033]
        stream.frameRate = try FrameRate(5 * 90_000, 1_100_000)
        #expect(stream.editRate.description == "24")
    }

    /// A camera's rate with jitter, which is on no grid: the common rate for an edit, one with all frames to read.
    @Test func aJitteringCameraHasItsRate() throws {
        var stream = try stream(Array(0..<90), of: FrameRate(30), ticks: 90000)
        stream.frameTimes = stream.frameTimes?.enumerated().map { $1 + Int64($0 * 7919 % 601) - 300 * ($0 > 0 ? 1 : 0) }
        #expect(stream.editRate.description == "30")
        #expect(stream.lostFrames(at: stream.readRate) == 0)
        #expect(stream.readRate.framesPerSecond > stream.editRate.framesPerSecond)
    }

    @Test func anAverageThatIsNoCommonRateIsRoundedUp() throws {
        var stream = try stream(Array(0..<90), of: FrameRate(30), ticks: 90000)
        stream.frameTimes = (0..<90).map { $0 * $0 * 617 }
        stream.frameRate = try FrameRate(1633, 100)
        // 17 a second, and twice that to move in.
        #expect(stream.editRate.description == "34")
    }

    @Test func lostFramesAreCounted() throws {
        let stream = try stream(Self.mixture, of: FrameRate(30), ticks: 30000)
        #expect(stream.lostFrames(at: try FrameRate(15)) == 16)
        let shown = Set(try (0..<Int64(59)).map { try stream.frame(shownAt: RationalTime($0, 15)) })
        #expect(60 - shown.count == 16)
    }

    @Test func theNearerKeyframeIsFound() throws {
        let stream = try stream(Self.mixture, of: FrameRate(30), ticks: 30000)
        let second = RationalTime(whole: 1)
        // Keyframes 0, 10, 20 …: frame 34 is at 1.4 s, 30 at 1 s, 40 at 2 s.
        #expect(stream.keyframe(near: 34, within: second) == 30)
        #expect(stream.keyframe(near: 36, within: second) == 40)
        #expect(stream.keyframe(near: 34, within: try RationalTime(3, 10)) == nil)
    }
}
