import CompositionModel
import EditSamples
import Testing

@testable import Planning
@testable import Timing

/// Plans of edits whose sources run at other speeds.
@Suite struct RetimedPlanTests {
    private let assets = ["a": SampleAsset.minute("a"), "b": SampleAsset.minute("b", gop: 250)]

    private static let ramp =
        #"[{ "at": "0s", "value": 4, "ease": "outQuad" }, { "at": "3s", "value": 0.5, "ease": "hold" }, { "at": "4s", "value": 2 }]"#

    private func plan(_ items: String..., rate: String = "25", segmentCount: Int? = nil) throws -> RenderPlan {
        try Compiled(editText(items, assets: ["a", "b"], rate: rate), assets).plan(segmentCount: segmentCount)
    }

    /// However a timeline is cut, each frame shows the same source time.
    @Test(arguments: ["2", "-1", "1/3", "-7/5"])
    func cutsChangeNothing(speed: String) throws {
        func times(_ segmentCount: Int?) throws -> [RationalTime] {
            let plan = try plan(
                #"{ "asset": "a", "in": "1s", "duration": "20s", "speed": "\#(speed)" }"#,
                #"{ "asset": "b", "freeze": "3s", "duration": "5s" }"#,
                #"{ "asset": "b", "duration": "5s", "sound": false, "speed": \#(RetimedPlanTests.ramp) }"#,
                segmentCount: segmentCount
            )
            return try plan.segments.flatMap { segment in
                try (0..<segment.frames.count).map { frame in
                    let all = segment.task.instructions
                    let instruction = try #require(all.first { $0.frames.contains(frame) })
                    let source = try #require(instruction.layers[0].from)
                    return try source.start.advanced(
                        by: frame - instruction.frames.start,
                        of: plan.frameRate.frameDuration,
                        speed: source.speed,
                        curve: source.curve
                    )
                }
            }
        }
        let whole = try times(1)
        #expect(whole.count == 750)
        for count in [2, 7, 31] { #expect(try times(count) == whole) }
        #expect(try times(nil) == whole)
    }

    /// All tasks together have the curve about once, not each its rest.
    @Test func aTaskHasThePartOfTheCurveThatItPlays() throws {
        let keys = #"[{ "at": "0s", "value": 1, "ease": "outQuad" }, { "at": "40s", "value": 0.5 }]"#
        let item = #"{ "asset": "a", "duration": "40s", "sound": false, "speed": \#(keys) }"#
        let whole = try plan(item, segmentCount: 1).segments[0].task.instructions[0].layers[0].from?.curve
        let curve = try #require(whole)
        let parts = try plan(item, segmentCount: 20).segments.map { segment in
            try #require(segment.task.instructions[0].layers[0].from?.curve)
        }
        #expect(curve.frames.count > 900)
        // 50 frames, and those of the post-roll.
        #expect(parts.allSatisfy { $0.frames.count <= 71 })
        for start: Int64 in [0, 1, 333] {
            for count: Int64 in [1, 2, 50, 1000] {
                let part = curve.advanced(by: start).trimmed(to: count)
                #expect(part.frames.count <= Int(count) + 1)
                #expect(
                    (0...count).allSatisfy {
                        part.progress(at: $0) == curve.progress(at: $0 + start) - curve.progress(at: start)
                    }
                )
            }
        }
    }

    /// A keyframe every 2 s of the source is one every 4 s at half speed, and one a second at double.
    @Test func keyframesAreBordersAtTheirPlace() throws {
        let slow = try plan(#"{ "asset": "a", "in": "1s", "duration": "60s", "speed": "1/2" }"#)
        let keyframes = slow.segments.filter { $0.startBorder == .keyframe }
        #expect(keyframes.count > 2)
        for segment in keyframes {
            let start = try #require(segment.task.instructions[0].layers[0].from?.start)
            #expect(start.denominator == 1 && start.numerator % 2 == 0)
        }
    }

    /// ```
    /// source    ··K·······K·······        backwards a part begins below a keyframe
    ///            ◄──────┤◄──────┤
    /// ```
    @Test func backwardsABorderLiesBelowAKeyframe() throws {
        let found = try plan(#"{ "asset": "a", "range": ["3s", "48s"], "speed": -1 }"#)
        #expect(found.segments.count > 2)
        for segment in found.segments.dropFirst() {
            #expect(segment.startBorder == .keyframe)
            let start = try #require(segment.task.instructions[0].layers[0].from?.start)
            let above = try start.adding(RationalTime(1, 25))
            #expect(above.denominator == 1 && above.numerator % 2 == 0, "\(start)")
        }
    }

    /// 30 frames a second in milliseconds, a keyframe every 5 s whose time is a third of a millisecond late: it is seen
    /// where it would be without the rounding, and that is the border.
    @Test(arguments: ["1", "1/2", "-1", "-1/2"])
    func keyframesThatAreSeenEarlyAreBordersThere(speed: String) throws {
        var stream = SampleAsset.variable(ticks: [33, 34, 33], count: 1800, gop: 50)
        stream.keyframes = [0] + stride(from: 50, to: 1800, by: 150)
        let item = #"{ "asset": "a", "range": ["0s", "60s"], "speed": "\#(speed)" }"#
        let assets = ["a": SampleAsset.asset("a", [stream])]
        let found = try Compiled(editText([item], assets: ["a"], rate: "30"), assets).plan()
        let borders = found.segments.filter { $0.startBorder == .keyframe }
        #expect(borders.count >= 2)
        let parts = speed.split(separator: "/").compactMap { Int64($0) }
        let step = try RationalTime(parts[0], 30 * (parts.count > 1 ? parts[1] : 1))
        for segment in borders {
            let start = try #require(segment.task.instructions[0].layers[0].from?.start)
            let (before, first) = try (stream.frame(shownAt: start.subtracting(step)), stream.frame(shownAt: start))
            let (outside, inside) = step.isNegative ? (first, before) : (before, first)
            #expect(stream.keyframes.contains(inside) && outside == inside - 1, "\(start): \(before), then \(first)")
        }
    }

    @Test(arguments: ["1/20", "20", "-1/20"])
    func noPartIsTooLong(speed: String) throws {
        let length = speed == "20" ? "2s" : "200s"
        let found = try plan(
            #"{ "asset": "b", "duration": "\#(length)", "speed": "\#(speed)" }"#,
            #"{ "asset": "a", "freeze": "3s", "duration": "100s" }"#
        )
        #expect(found.segments.allSatisfy { $0.frames.count <= 750 })
        #expect(found.segments.allSatisfy { $0.estimatedCost > 0 })
    }

    /// A cut between two pieces that go on with the same source at the same speed changes nothing; at another it does.
    @Test func aChangeOfSpeedIsACut() throws {
        func runs(_ speed: String) throws -> Int {
            let first = #"{ "asset": "a", "duration": "7s", "speed": 2 }"#
            let second = #"{ "asset": "a", "in": "14s", "duration": "7s", "speed": \#(speed) }"#
            return try plan(first, second, segmentCount: 1).segments[0].task.instructions.count
        }
        #expect(try runs("2") == 1)
        #expect(try runs("3") == 2)
    }
}
