// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

/// Speed, reverse, freeze, fitting to a length, stills.
@Suite struct CompileRetimeTests {
    private let assets: [String: CompilerAsset] = {
        var logo = SampleAsset.video(rate: try! FrameRate(25), seconds: 1, pixelFormat: "rgba")
        (logo.codec, logo.frameCount, logo.keyframes) = ("png", 1, [0])
        logo.duration = try! RationalTime(1, 25)
        return [
            "a": SampleAsset.minute("a"), "logo": SampleAsset.asset("logo", [logo]),
            "fast": SampleAsset.asset("fast", [SampleAsset.video(rate: try! FrameRate(240), seconds: 10)]),
        ]
    }()

    private func compiled(_ items: String..., rate: String = "25") throws -> Compiled {
        try Compiled(editText(items, assets: assets.keys.sorted(), rate: rate), assets)
    }

    private func segment(_ item: String, rate: String = "25") throws -> VideoTrackSegment {
        let compiled = try compiled(item, rate: rate)
        return try #require(compiled.composition, "\(compiled.errors)").videoTracks[0].segments[0]
    }

    @Test(arguments: [
        (#""speed": 2"#, 750, "0/1", "2/1"), (#""speed": "1/2""#, 3000, "0/1", "1/2"),
        (#""speed": 0.5, "in": "50s""#, 500, "50/1", "1/2"),
        (#""speed": 2, "in": "50s", "duration": "4s""#, 100, "50/1", "2/1"),
        (#""range": ["1s", "6s"], "speed": 3"#, 50, "1/1", "3/1"),
        (#""range": ["1s", "3s"], "duration": "2s""#, 50, "1/1", "3/2"),
        (#""range": ["1s", "3s"], "duration": "2s", "speed": "3/2""#, 50, "1/1", "3/2"),
        // Backwards the first frame is the last of what would be seen forwards.
        (#""range": ["1s", "2s"], "speed": -1"#, 50, "74/25", "-1/1"),
        (#""range": ["1s", "3s"], "duration": "2s", "speed": "-3/2""#, 50, "197/50", "-3/2"),
        (#""in": "10s", "duration": "1s", "speed": "-2""#, 25, "298/25", "-2/1"),
        (#""freeze": "2.5s", "duration": "2s""#, 50, "5/2", "0/1"),
        (##""freeze": "#100", "duration": "100s""##, 2500, "4/1", "0/1"),
    ])
    func aSegmentRuns(keys: String, count: Int64, start: String, speed: String) throws {
        let found = try segment("{ \"asset\": \"a\", \(keys) }")
        #expect(found.target == FrameRange(start: 0, count: count))
        #expect("\(found.sourceStart.numerator)/\(found.sourceStart.denominator)" == start)
        #expect(found.speed.map { "\($0.numerator)/\($0.denominator)" } == speed)
    }

    @Test func speedOneIsNoSpeed() throws {
        let plain = try compiled(#"{ "asset": "a", "duration": "2s" }"#).composition
        #expect(try compiled(#"{ "asset": "a", "duration": "2s", "speed": 1 }"#).composition == plain)
        #expect(try compiled(#"{ "asset": "a", "range": ["0s", "2s"], "duration": "2s" }"#).composition == plain)
        let bytes = try CanonicalJSON.data(try #require(plain?.videoTracks))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("speed"))
    }

    @Test(arguments: [
        (#"{ "asset": "a", "range": ["0s", "3s"], "duration": "2s", "speed": 2 }"#, "speed", "/speed"),
        (#"{ "asset": "a", "range": ["0s", "50s"], "duration": "2s" }"#, "speed", "/duration"),
        (#"{ "asset": "a", "duration": "40s", "speed": 2 }"#, "past-end", "/duration"),
        (#"{ "asset": "a", "in": "50s", "duration": "11s", "speed": -1 }"#, "past-end", "/duration"),
        (#"{ "asset": "a", "range": ["0s", "1s"], "speed": 7 }"#, "off-frame", "/range/1"),
        (#"{ "asset": "a", "freeze": "61s", "duration": "1s" }"#, "in-past-end", "/freeze"),
        (#"{ "asset": "logo" }"#, "no-length", ""),
        (#"{ "asset": "a", "sound": false, "speed": [{ "at": "0s", "value": 2 }] }"#, "no-length", ""),
        (
            #"{ "asset": "a", "in": "1s", "duration": "1s", "sound": false, "speed": [{ "at": "0s", "value": -2 }] }"#,
            "past-end", "/duration"
        ),
        (
            #"{ "asset": "a", "duration": "31s", "sound": false, "speed": [{ "at": "0s", "value": 2 }] }"#, "past-end",
            "/duration"
        ),
    ])
    func isWrong(item: String, rule: String, pointer: String) throws {
        let errors = try compiled(item).errors
        #expect(errors.map(\.rule) == [rule])
        #expect(errors.map(\.pointer) == ["/tracks/0/segments/0" + pointer])
    }

    @Test func aStillIsSeenForAsLongAsItIsWanted() throws {
        let found = try segment(#"{ "asset": "logo", "duration": "100s" }"#)
        #expect(found.target.count == 2500 && found.speed == .zero && found.sourceStart == .zero)
    }

    @Test func slowMotionShowsEachFrameOnce() throws {
        let found = try segment(#"{ "asset": "fast", "speed": "1/8" }"#, rate: "30")
        #expect(found.target.count == 2400)
        let stream = try #require(assets["fast"]?.facts.video[0])
        let shown = try (0..<found.target.count).map { frame in
            let time = try found.sourceStart.advanced(by: frame, of: RationalTime(1, 30), speed: found.speed)
            return try stream.frame(shownAt: time)
        }
        #expect(shown == Array(0..<2400))
    }

    /// What a segment shows backwards is what it shows forwards, in opposite order.
    @Test(arguments: ["1", "2", "1/3", "7/5", "20", "1/20"], ["25", "30000/1001", "60"])
    func backwardsIsForwardsTurnedAround(speed: String, rate: String) throws {
        func times(_ sign: String) throws -> [RationalTime] {
            let item = #"{ "asset": "a", "in": "123ms", "duration": "50f", "speed": "\#(sign)\#(speed)" }"#
            let found = try segment(item, rate: rate)
            let text = rate.split(separator: "/").map { Int64($0)! }
            let unit = try FrameRate(text[0], text.count > 1 ? text[1] : 1).frameDuration
            return try (0..<50).map { try found.sourceStart.advanced(by: $0, of: unit, speed: found.speed) }
        }
        #expect(try times("-") == times("").reversed())
    }

    /// From speed 1 to 3 in 2 s: after t seconds t + t² / 2 of the source are gone; then 3 a second.
    @Test func aSpeedChangesAlongALine() throws {
        let keys = #"[ { "at": "0s", "value": 1 }, { "at": "2s", "value": 3 } ]"#
        let found = try segment(#"{ "asset": "a", "in": "1s", "duration": "4s", "sound": false, "speed": \#(keys) }"#)
        let curve = try #require(found.curve)
        #expect(found.target.count == 100 && found.speed == nil && found.sourceStart == RationalTime(whole: 1))
        for frame: Int64 in 0..<100 {
            let time = Double(frame) / 25
            let way = time < 2 ? time + time * time / 2 : 4 + 3 * (time - 2)
            #expect(abs(Double(curve.progress(at: frame)) - way * 25_000_000) <= 1, "frame \(frame)")
        }
        // 50 numbers on the bend, one at the end of the line.
        #expect(curve.frames.count == 52 && curve.frames.last == 99)
        #expect((50..<99).allSatisfy { curve.progress(at: $0 + 1) - curve.progress(at: $0) == 3_000_000 })
    }

    /// However an ease bends, both halves of a symmetric one add up to the mean speed; a hold is a step.
    @Test(arguments: ["inOutSine", "inOutCubic", "inOutExpo", "linear", "inOutCirc", "cubicBezier(0.4,0,0.6,1)"])
    func anEaseHasItsLength(ease: String) throws {
        let keys = #"[ { "at": "1s", "value": 2, "ease": "\#(ease)" }, { "at": "3s", "value": "1/2" } ]"#
        let found = try segment(#"{ "asset": "a", "duration": "6s", "sound": false, "speed": \#(keys) }"#)
        let curve = try #require(found.curve)
        #expect(curve.progress(at: 25) == 50_000_000)
        #expect(abs(curve.progress(at: 75) - 50_000_000 - 62_500_000) < 2000)
        #expect(curve.progress(at: 149) - curve.progress(at: 75) == 37_000_000)
        #expect(zip(curve.progress, curve.progress.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func aCurveCanBeCutAnywhere() throws {
        let keys = #"[ { "at": "0s", "value": 1, "ease": "outElastic" }, { "at": "2s", "value": -1 } ]"#
        let found = try segment(
            #"{ "asset": "a", "in": "20s", "duration": "120f", "sound": false, "speed": \#(keys) }"#,
            rate: "30000/1001"
        )
        let curve = try #require(found.curve)
        let count = found.target.count
        for start in stride(from: Int64(0), to: count, by: 7) {
            let rest = curve.advanced(by: start)
            #expect(rest.isSound(over: count - start))
            #expect(
                (start..<count).allSatisfy {
                    rest.progress(at: $0 - start) == curve.progress(at: $0) - curve.progress(at: start)
                }
            )
            #expect(rest.advanced(by: 3) == curve.advanced(by: start + 3) || start + 3 >= count)
        }
    }

    /// A few bytes ask for 360 million frames, of a clip of a minute: only those of the minute are computed.
    @Test func aRampEndsWithItsSource() throws {
        let keys = #"[ { "at": "0s", "value": 1 }, { "at": "360000s", "value": 2 } ]"#
        let item = #"{ "asset": "a", "in": "50s", "duration": "360000s", "sound": false, "speed": \#(keys) }"#
        let errors = try compiled(item, rate: "1000").errors
        #expect(errors.map(\.rule) == ["past-end"] && errors[0].message.contains("60 s"))
        let back = item.replacing("\"value\": 1", with: "\"value\": -1")
        #expect(try compiled(back, rate: "1000").errors.map(\.rule) == ["past-end"])
    }

    /// Ten thousand keys, each looked up, not searched for from the first one on.
    @Test func aRampMayHaveAKeyPerFrame() throws {
        let keys = (0..<10_000).map { "{ \"at\": \"\($0)f\", \"value\": \($0 % 2 == 0 ? "\"1/20\"" : "\"1/10\"") }" }
        let item = #"{ "asset": "a", "duration": "400s", "sound": false, "speed": [\#(keys.joined(separator: ","))] }"#
        let curve = try #require(try segment(item).curve)
        // The mean speed is 0.075; it begins with a rise.
        #expect(abs(curve.progress(at: 9998) - 9998 * 75_000) <= 1)
    }

    @Test func framesOfChangingSpeedAreLimited() throws {
        let keys = #"[ { "at": "0s", "value": 1 }, { "at": "2s", "value": 3 } ]"#
        let item = #"{ "asset": "a", "duration": "2s", "sound": false, "speed": \#(keys) }"#
        let looped = #"{ "asset": "a", "duration": "2s", "loop": 2, "sound": false, "speed": \#(keys) }"#
        func rules(_ steps: Int, _ items: [String]) throws -> [String] {
            let read = EditReader.read(editText(items, assets: ["a"]))
            guard case .edit(let edit) = try #require(read.document, "\(read.findings)") else { return [] }
            let log = FindingLog()
            let grid = TrackGrid(kind: .video, rate: try FrameRate(25), sampleRate: 48_000, log: log)
            let sources = SourceResolver(assets: assets, log: log)
            let allowance = CompileAllowance()
            allowance.rampSteps = steps
            var layout = TrackLayout(grid: grid, sources: sources, editSnap: .never, allowance: allowance)
            _ = layout.place(edit.tracks[0], id: "")
            return log.inOrder.map(\.rule)
        }
        // 49 numbers each.
        #expect(try rules(98, [item, item]) == [])
        #expect(try rules(97, [item, item]) == ["too-many"])
        // Each run of a loop has them all, and the one at the curve's start; so has what follows.
        #expect(try rules(99, [looped]) == [])
        #expect(try rules(98, [looped]) == ["too-many"])
        #expect(try rules(147, [looped, item]) == ["too-many"])
    }

    @Test func soundRunsWithItsPicture() throws {
        let sound = try #require(
            try compiled(
                #"{ "asset": "a", "in": "1s", "duration": "2s", "speed": 2 }"#,
                #"{ "asset": "a", "in": "1s", "duration": "1s", "speed": -1 }"#,
                #"{ "asset": "a", "freeze": "1s", "duration": "1s" }"#
            ).composition
        ).audioTracks[0].segments
        #expect(sound.map(\.sourceStart) == [48_000, 95_999])
        #expect(sound.map(\.speed) == [RationalTime(whole: 2), RationalTime(whole: -1)])
        #expect(sound.map(\.count) == [96_000, 48_000])
    }

    @Test func aCanonicalFormIsCheckedToo() throws {
        let compiled = try compiled(#"{ "asset": "a", "duration": "2s" }"#)
        func rules(_ change: (inout Composition) -> Void) throws -> [String] {
            var composition = try #require(compiled.composition)
            change(&composition)
            return EditCompiler.compile(.composition(composition), assets: assets).findings.map(\.rule)
        }
        #expect(try rules { $0.videoTracks[0].segments[0].speed = RationalTime(whole: 21) } == ["speed"])
        #expect(try rules { $0.videoTracks[0].segments[0].speed = RationalTime(whole: -1) } == ["past-end"])
        #expect(try rules { $0.videoTracks[0].segments[0].speed = .zero } == [])
        #expect(try rules { $0.audioTracks[0].segments[0].speed = .zero } == ["speed"])
        func curve(_ frames: [Int64], _ progress: [Int64]) throws -> [String] {
            try rules { $0.videoTracks[0].segments[0].curve = RetimeCurve(frames: frames, progress: progress) }
        }
        #expect(try curve([0, 10], [0, 10_000_000]) == [])
        // Cut in the middle, its halves would not be rounded as the whole is.
        #expect(try curve([0, 10], [0, 10_000_001]) == ["speed"])
        #expect(try curve([0, 0], [0, 0]) == ["speed"])
        #expect(try curve([0, 2000], [0, 2000]) == ["speed"])
        #expect(
            try rules {
                $0.videoTracks[0].segments[0].sourceStart = RationalTime(whole: 59)
                $0.videoTracks[0].segments[0].speed = RationalTime(whole: 2)
            } == ["past-end"]
        )
    }
}
