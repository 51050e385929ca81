// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditLanguage
import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

/// Which frames of an output are copied, and where segments begin beside them.
@Suite struct CopySpansTests {
    private func plan(
        _ items: [String],
        _ assets: [CompilerAsset],
        segments: Int? = nil,
        range: [String]? = nil
    ) throws -> RenderPlan {
        let names = ["a", "b"].prefix(assets.count)
        let text = editText(items, assets: Array(names))
        let known = Dictionary(uniqueKeysWithValues: zip(names, assets))
        return try Compiled(text, known, CompileOptions(range: range, copies: true)).plan(segmentCount: segments)
    }

    /// The copied spans on the output's timeline, with the source's frame.
    private func spans(_ plan: RenderPlan) -> [[Int64]] {
        plan.segments.flatMap { segment in
            (segment.task.copies ?? []).map { span in
                [segment.frames.start + span.frames.start, segment.frames.start + span.frames.end, span.sourceFrame]
            }
        }
    }

    /// From the first IDR picture behind the in point to the last end before the out point.
    @Test(arguments: [
        (0, 100, [[0, 100, 0]]), (0, 98, [[0, 95, 0]]), (1, 100, [[49, 100, 50]]), (33, 30, [[17, 30, 50]]),
        (33, 29, []), (0, 13, [[0, 13, 0]]), (0, 12, []), (1401, 99, [[49, 99, 1450]]), (1451, 49, []),
    ])
    func aClip(start: Int, count: Int, expected: [[Int64]]) throws {
        let clip = "{ \"asset\": \"a\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\" }"
        let found = try spans(plan([clip], [SampleAsset.copyable("a")], segments: 1))
        #expect(found == expected)
    }

    @Test(arguments: [
        (#""speed": 2"#, "retimed"), (#""opacity": 0.5"#, "changed"),
        (#""effects": [{ "effect": "blur" }]"#, "changed"),
        (#""fit": "contain""#, ""),
    ])
    func whatIsTouchedIsEncoded(key: String, reason: String) throws {
        let clip = "{ \"asset\": \"a\", \"in\": \"0f\", \"duration\": \"100f\", \(key) }"
        let plan = try plan([clip], [SampleAsset.copyable("a")], segments: 1)
        #expect(plan.encoded?.map(\.reason.rawValue) == (reason.isEmpty ? [] : [reason]))
        #expect(spans(plan).isEmpty == !reason.isEmpty)
    }

    @Test func whatDoesNotFitTheOutputIsEncoded() throws {
        let changes: [(String, (inout VideoStreamFacts) -> Void)] = [
            ("rate.30.1.25.1", { $0.frameRate = try! FrameRate(30) }),
            ("color.stated.smpte170m", { $0.color.matrix = "smpte170m" }),
            (
                "color.guessed.bt470bg, full range",
                {
                    ($0.color.matrix, $0.color.isFullRange, $0.isColorGuessed) = ("bt470bg", true, true)
                }
            ),
            // Each frame is shown twice.
            ("variableRate", { $0.setTimes { 80 * $0 } }),
            ("rotated", { $0.orientation = Orientation(degrees: 180, isMirrored: false) }),
            ("mirrored", { $0.orientation = Orientation(degrees: 0, isMirrored: true) }),
            ("size", { ($0.width, $0.height) = (1920, 1080) }),
            ("pixelAspect", { $0.pixelAspect = try! RationalTime(4, 3) }),
            ("source.codec", { $0.copy = nil }), ("format", { $0.copy?.forms[0].bits = 10 }),
            ("format", { $0.copy?.forms[0].profile = 110 }), ("format", { $0.copy?.forms[0].chromaFormat = 2 }),
            (
                "source.interlaced",
                {
                    $0.copy = CopyFacts(
                        forms: [],
                        stretches: [],
                        obstacles: [CopyObstacle(reason: .interlaced, frame: 0)]
                    )
                }
            ),
        ]
        for (reason, change) in changes {
            let clip = #"{ "asset": "a", "in": "0s", "duration": "4s" }"#
            let plan = try plan([clip], [SampleAsset.copyable("a", change: change)], segments: 1)
            #expect(plan.encoded?.map(\.reason.rawValue) == [reason], "\(reason)")
            #expect(spans(plan).isEmpty, "\(reason)")
        }
    }

    /// Frames are copied where each frame of the edit shows the next one of the source, whatever their times: behind frame
    /// 60, which lasts 67 ms and is shown twice, a copy begins at the next key picture. Before the in point times do not
    /// count.
    @Test func anOddTimeEndsACopy() throws {
        let asset = SampleAsset.copyable("a") { $0.setTimes { 40 * $0 + ($0 > 60 ? 27 : 0) } }
        let clips = [(0, 200), (100, 80)].map { "{ \"asset\": \"a\", \"in\": \"\($0)f\", \"duration\": \"\($1)f\" }" }
        let plan = try plan(clips, [asset], segments: 1)
        #expect(spans(plan) == [[0, 59, 0], [101, 200, 100], [201, 280, 100]])
        #expect(
            plan.encoded == [EncodedShare(reason: .variableRate, frames: 42), EncodedShare(reason: .border, frames: 1)]
        )
    }

    /// Each frame has its own reason: those before the first key picture behind a cut, those around an odd time, and those
    /// of a damaged group.
    @Test func everyRangeHasItsReason() throws {
        let asset = SampleAsset.copyable("a") { stream in
            stream.setTimes { frame in frame > 130 ? 40 * frame + 27 : 40 * frame }
            let whole = stream.copy?.stretches[0]
            stream.copy?.stretches = [Int64(0)..<200, 250..<1500].map { frames in
                let count = Int64(frames.count)
                var part = whole!
                part.frames = FrameRange(start: frames.lowerBound, count: count)
                part.entries = FrameSet(stride(from: 0, to: count, by: 50))
                let ends: [Int64] = (1...count).filter { $0 % 50 == 0 || $0 % 50 % 4 == 1 }
                part.ends = FrameSet(ends)
                return part
            }
            stream.copy?.obstacles = [CopyObstacle(reason: .damaged, frame: 200)]
        }
        let plan = try plan([#"{ "asset": "a", "in": "10f", "duration": "340f" }"#], [asset], segments: 1)
        #expect(spans(plan) == [[40, 119, 50], [141, 191, 150], [241, 340, 250]])
        let expected = [
            EncodedShare(reason: .source(.damaged), frames: 50), EncodedShare(reason: .border, frames: 40),
            EncodedShare(reason: .variableRate, frames: 22),
        ]
        #expect(plan.encoded == expected)
    }

    /// A cut that lies inside a transition is encoded with it; what is beside it is copied.
    @Test func besideATransitionFramesAreCopied() throws {
        let clip = #"{ "asset": "a", "in": "2s", "duration": "6s" }"#
        let other = #"{ "asset": "b", "in": "2s", "duration": "6s" }"#
        let plan = try plan(
            [clip, #"{ "transition": "dissolve", "duration": "1s" }"#, other],
            [SampleAsset.copyable("a"), SampleAsset.copyable("b", form: 2)],
            segments: 1
        )
        let found = spans(plan)
        #expect(found == [[0, 125, 50], [175, 275, 100]] && plan.frameCount == 275, "\(found)")
        let encoded = plan.encoded ?? []
        #expect(encoded.map(\.reason.rawValue) == ["border", "transition"] && encoded.map(\.frames) == [25, 25])
    }

    /// Segments divide a copied span only where a copy may end and another begin, so that they copy as much as one.
    @Test func bordersCostNoCopiedFrame() throws {
        let items = (0..<8).map { "{ \"asset\": \"a\", \"in\": \"\(37 + $0 * 11)f\", \"duration\": \"\(700 + $0)f\" }" }
        let assets = [SampleAsset.copyable("a")]
        let whole = try plan(items, assets, segments: 1)
        let divided = try plan(items, assets)
        #expect(divided.segments.count > 8)
        func count(_ plan: RenderPlan) -> Int64 { plan.segments.reduce(0) { $0 + $1.task.copiedCount } }
        #expect(count(whole) == count(divided) && count(whole) > 5000)
        #expect(whole.encoded == divided.encoded)
        #expect(divided.encoded?.reduce(0) { $0 + $1.frames } == divided.frameCount - count(divided))
    }

    /// Open groups have key pictures at which no copy may begin: a border there would cost all frames up to the next IDR
    /// picture.
    @Test func bordersAreNotAtKeyPicturesOfOpenGroups() throws {
        let items = (0..<8).map { "{ \"asset\": \"a\", \"in\": \"\(37 + $0 * 11)f\", \"duration\": \"\(700 + $0)f\" }" }
        let asset = SampleAsset.copyable("a") { stream in
            stream.copy?.stretches[0].entries = FrameSet(stride(from: 0, to: 1500, by: 250))
        }
        let (whole, divided) = (try plan(items, [asset], segments: 1), try plan(items, [asset]))
        func count(_ plan: RenderPlan) -> Int64 { plan.segments.reduce(0) { $0 + $1.task.copiedCount } }
        #expect(divided.segments.count > 8 && count(whole) > 3000)
        #expect(count(whole) == count(divided) && whole.encoded == divided.encoded)
    }

    /// Players seek to IDR pictures, of which a copy of open groups has one at its start alone: it begins anew at the
    /// first entry of each 250 frames, and the two frames that are shown before that entry are encoded.
    @Test func aLongCopyOfOpenGroupsBeginsAnew() throws {
        let open = stride(from: Int64(0), to: 1500, by: 50)
        let asset = SampleAsset.copyable("a") { stream in
            var ends: [Int64] = (0...1500).filter { $0 == 1500 || $0 % 5 == 0 && $0 % 50 != 0 }
            ends += open.dropFirst().map { $0 - 2 }
            stream.copy?.stretches[0].entries = FrameSet(open)
            stream.copy?.stretches[0].ends = FrameSet(ends)
        }
        let clip = #"{ "asset": "a", "in": "120f", "duration": "1000f" }"#
        let found = try spans(plan([clip], [asset], segments: 1))
        #expect(found == [[30, 378, 150], [380, 628, 500], [630, 878, 750], [880, 1000, 1000]])
        // Where no picture is shown before the entry, nothing is encoded.
        let closed = try spans(plan([clip], [SampleAsset.copyable("a")], segments: 1))
        #expect(closed == [[30, 380, 150], [380, 630, 500], [630, 880, 750], [880, 997, 1000]])
    }

    /// A part that is encoded at a segment's end is not followed by frames behind the next cut.
    @Test func thePostRollEndsAtACut() throws {
        let items = (0..<4).map { "{ \"asset\": \"a\", \"in\": \"\(50 + $0)f\", \"duration\": \"249f\" }" }
        let plan = try plan(items, [SampleAsset.copyable("a")])
        for segment in plan.segments where segment.endBorder == .cut { #expect(segment.task.postRollCount == 0) }
        #expect(plan.segments.contains { $0.endBorder == .cut })
    }

    /// Without being asked to copy, a task is what it was, and so is its key.
    @Test func withoutCopiesNothingIsSaidOfThem() throws {
        let text = editText([#"{ "asset": "a", "in": "0s", "duration": "4s" }"#], assets: ["a"])
        let plan = try Compiled(text, ["a": SampleAsset.copyable("a")], CompileOptions()).plan(segmentCount: 1)
        #expect(plan.encoded == nil && plan.segments[0].task.copies == nil)
        let json = String(decoding: try JSONEncoder().encode(plan.segments[0].task), as: UTF8.self)
        #expect(!json.contains("copies"))
    }

    /// One track holds 31 SPS, one of which is the encoder's: the rarest kinds of parameter sets are encoded.
    @Test func oneTrackHoldsThirtyKinds() throws {
        var video = SampleAsset.video(rate: try FrameRate(25), seconds: 60)
        let form = try #require(SampleAsset.copyable("a").facts.video[0].copy?.forms[0])
        video.copy = CopyFacts(
            forms: (0..<33).map { number in
                var form = form
                form.configuration = Data([UInt8(number)])
                return form
            },
            // The later, the longer.
            stretches: (0..<33).map { number in
                CopyStretch(
                    frames: FrameRange(start: Int64(number) * 45, count: Int64(12 + number)),
                    form: number,
                    entries: FrameSet([0]),
                    ends: FrameSet([Int64(12 + number)])
                )
            },
            obstacles: []
        )
        let plan = try plan(
            [#"{ "asset": "a", "in": "0s", "duration": "60s" }"#],
            [SampleAsset.asset("a", [video])],
            segments: 1
        )
        let kept = plan.segments.flatMap { ($0.task.copies ?? []).map(\.configuration) }
        #expect(kept == (3..<33).map { Data([UInt8($0)]) })
    }

    @Test func aSetOfFramesFindsItsNeighbours() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let frames = Set(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in Int64.random(in: 0...300, using: &random) }
            )
            let set = FrameSet(frames)
            #expect(set.frames == frames.sorted())
            for frame in Int64(-2)...310 {
                #expect(set.contains(frame) == frames.contains(frame))
                #expect(set.last(upTo: frame) == frames.filter { $0 <= frame }.max())
                #expect(set.first(from: frame) == frames.filter { $0 >= frame }.min())
            }
            let decoded = try JSONDecoder().decode([FrameSet].self, from: JSONEncoder().encode([set]))
            #expect(decoded == [set])
        }
    }
}

extension VideoStreamFacts {
    /// - Parameter time: the time of each frame in milliseconds.
    fileprivate mutating func setTimes(_ time: (Int64) -> Int64) {
        (isVariableRate, timeBase) = (true, try! RationalTime(1, 1000))
        frameTimes = (0..<frameCount).map(time)
        duration = try! RationalTime(time(frameCount), 1000)
    }
}
