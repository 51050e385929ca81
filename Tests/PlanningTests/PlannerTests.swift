import EditLanguage
import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing
@testable import WireProtocol

@Suite struct PlannerTests {
    let assets = ["a": SampleAsset.minute("a", gop: 250), "b": SampleAsset.minute("b"), "c": SampleAsset.minute("c")]

    private func compiled(
        _ items: [String],
        rate: String = "25",
        outputs: String = #"[{ "preset": "h264" }]"#
    ) throws
        -> Compiled
    {
        try Compiled(editText(items, assets: ["a", "b", "c"], rate: rate, outputs: outputs), assets)
    }

    private func starts(_ plan: RenderPlan) -> [Int64] { plan.segments.map(\.frames.start) }

    @Test func aShortEditIsOneSegment() throws {
        let plan = try compiled([#"{ "asset": "a", "duration": "3s" }"#]).plan()
        #expect(plan.segments.count == 1)
        #expect(plan.segments[0].startBorder == .edge && plan.segments[0].endBorder == .edge)
        #expect(plan.segments[0].task.postRollCount == 0)
        #expect(plan.sampleCount == 144_000)
    }

    @Test func aCancelledTaskStopsPlanning() async throws {
        let edit = try compiled([#"{ "asset": "a", "duration": "4s" }"#])
        let planning = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try edit.plan()
        }
        let error = await #expect(throws: PlanError.self) { try await planning.value }
        #expect(error == .stopped)
    }

    /// The key of a segment is that of its task, which names the renderer.
    @Test func tasksNameTheRenderer() throws {
        let plan = try compiled([#"{ "asset": "a", "duration": "50s" }"#]).plan()
        #expect(plan.segments.allSatisfy { $0.task.rendererVersion == Renderer.version })
        #expect(plan.sound?.rendererVersion == Renderer.version)
    }

    @Test func fromAKeyframeNothingIsDecodedBefore() throws {
        let video = SampleAsset.video(rate: try FrameRate(25), seconds: 4, gop: 25)
        #expect([0, 1, 24, 25, 26, 74, 75].map { video.decodeDistance(to: $0) } == [0, 1, 24, 0, 1, 24, 0])
    }

    @Test func keyframesAreCandidatesAtTheFirstFrameThatShowsThem() throws {
        // In point 3.03 s: the keyframe at 10 s is first shown by frame 175 (6.97 s → frame 174.25 rounded up).
        let plan = try compiled([#"{ "asset": "a", "in": "3.03s", "duration": "20s" }"#]).plan()
        #expect(starts(plan) == [0, 175])
        #expect(plan.segments[1].startBorder == .keyframe)
        #expect(plan.segments[1].task.instructions[0].layers[0].from?.start == (try RationalTime(1003, 100)))
    }

    @Test func aKeyframeThatNoFrameShowsIsNoCandidate() throws {
        // 60 fps in a 25 fps edit: source frames 601 and 603 fall between frames 250 (600) and 251 (602.4).
        var video = SampleAsset.video(rate: try FrameRate(60), seconds: 40)
        video.keyframes = [0, 601, 1203]
        let assets = ["s": SampleAsset.asset("s", [video])]
        let plan = try Compiled(editText([#"{ "asset": "s" }"#], assets: ["s"]), assets).plan()
        #expect(starts(plan) == [0, 250, 500, 750])
        #expect(plan.segments.dropFirst().allSatisfy { $0.startBorder == .length })
    }

    @Test func aLongClipWithoutKeyframesIsCutByLengthInItsOwnTime() throws {
        var video = SampleAsset.video(rate: try FrameRate(25), seconds: 300)
        video.keyframes = [0]
        let assets = ["s": SampleAsset.asset("s", [video])]
        let text = editText([#"{ "asset": "s", "in": "4s", "duration": "100s" }"#], assets: ["s"])
        let plan = try Compiled(text, assets).plan()
        let times = plan.segments.dropFirst().compactMap { $0.task.instructions[0].layers[0].from?.start }
        #expect(times == (1...9).map { RationalTime(whole: 10 * $0) })
        #expect(plan.segments.dropFirst().allSatisfy { $0.startBorder == .length })
    }

    @Test func cutsWinOverKeyframes() throws {
        let plan = try compiled([
            #"{ "asset": "b", "duration": "7s" }"#, #"{ "asset": "c", "in": "1s", "duration": "7s" }"#,
        ]).plan()
        #expect(starts(plan) == [0, 175])
        #expect(plan.segments[0].endBorder == .cut)
    }

    @Test func aCutThatChangesNothingIsNoBorder() throws {
        let plan = try compiled([
            #"{ "asset": "a", "duration": "6s" }"#, #"{ "asset": "a", "in": "6s", "duration": "6s" }"#,
        ]).plan()
        #expect(plan.segments.count == 2 && plan.segments[1].startBorder != .cut)
        #expect(plan.segments.allSatisfy { $0.task.instructions.count == 1 })
    }

    @Test func borderOfADissolveIsNeverInsideIt() throws {
        let plan = try compiled([
            #"{ "asset": "a", "duration": "20s" }"#, #"{ "transition": "dissolve", "duration": "8s" }"#,
            #"{ "asset": "b", "duration": "20s" }"#,
        ]).plan()
        let (start, end): (Int64, Int64) = (300, 500)
        #expect(starts(plan).allSatisfy { $0 <= start || $0 >= end })
        #expect(starts(plan).contains(start) && starts(plan).contains(end))
        let inside = try #require(plan.segments.first { $0.frames.start == start })
        #expect(inside.startBorder == .transition && inside.endBorder == .transition)
        #expect(inside.task.instructions[0].layers[0].transition == TransitionRamp(firstStep: 0, steps: 200))
    }

    @Test func aDissolveLongerThanASegmentIsCutByLength() throws {
        let plan = try compiled([
            #"{ "asset": "a", "duration": "50s" }"#, #"{ "transition": "dissolve", "duration": "45s" }"#,
            #"{ "asset": "b", "duration": "50s" }"#,
        ]).plan()
        let inside = plan.segments.filter { $0.frames.start > 125 && $0.frames.start < 1250 }
        #expect(!inside.isEmpty && inside.allSatisfy { $0.startBorder == .length })
        #expect(plan.segments.allSatisfy { $0.frames.count <= 750 })
        let ramp = try #require(inside[0].task.instructions[0].layers[0].transition)
        #expect(ramp == TransitionRamp(firstStep: inside[0].frames.start - 125, steps: 1125))
    }

    @Test func noSegmentIsTooLongEvenWhenBordersMustBeNear() throws {
        // The dissolve of 29 s begins 3 s after the start and ends 3 s before the end: its edges are kept although
        // near.
        let plan = try compiled([
            #"{ "asset": "a", "duration": "32s" }"#, #"{ "transition": "dissolve", "duration": "29s" }"#,
            #"{ "asset": "b", "duration": "32s" }"#,
        ]).plan()
        #expect(plan.segments.allSatisfy { $0.frames.count <= 750 })
        #expect(starts(plan) == [0, 75, 800])
    }

    @Test func whatWouldBeOneSegmentIsHalved() throws {
        let plan = try compiled([#"{ "asset": "a", "in": "1f", "duration": "233f" }"#]).plan()
        #expect(plan.segments.map(\.frames.count) == [116, 117])
        #expect(plan.segments[0].endBorder == .middle && plan.segments[1].startBorder == .middle)
    }

    @Test func aHalfIsTwoSecondsAtLeast() throws {
        #expect(try compiled([#"{ "asset": "a", "duration": "99f" }"#]).plan().segments.count == 1)
        #expect(try starts(compiled([#"{ "asset": "a", "in": "1f", "duration": "100f" }"#]).plan()) == [0, 50])
    }

    @Test func aHalfBeginsWhereSomethingChanges() throws {
        let items = [#"{ "asset": "b", "duration": "110f" }"#, #"{ "asset": "c", "in": "1s", "duration": "110f" }"#]
        let plan = try compiled(items).plan()
        #expect(starts(plan) == [0, 110] && plan.segments[0].endBorder == .cut)
    }

    @Test func aTransitionIsNotHalved() throws {
        let plan = try compiled([
            #"{ "asset": "a", "duration": "7s" }"#, #"{ "transition": "dissolve", "duration": "4s" }"#,
            #"{ "asset": "b", "duration": "7s" }"#,
        ]).plan()
        #expect(plan.segments.count == 1)
    }

    @Test(arguments: [(1, 1), (2, 2), (7, 7), (31, 31), (1000, 100)])
    func forcedSegmentsAreEqualParts(asked: Int, made: Int) throws {
        let plan = try compiled([#"{ "asset": "a", "duration": "100f" }"#]).plan(segmentCount: asked)
        #expect(plan.segments.count == made)
        #expect(plan.segments.map(\.frames.count).reduce(0, +) == 100)
        let counts = plan.segments.map(\.frames.count)
        #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
        #expect(plan.segments.dropFirst().allSatisfy { $0.startBorder == .forced })
    }

    /// The encoder sees what goes on behind a border, and nothing past a cut. A clip that plays on beside another one,
    /// or in a transition, is no cut.
    @Test func thePostRollEndsAtACut() throws {
        let b = #"{ "asset": "b", "duration": "30f" }"#
        let jump = #"{ "asset": "a", "in": "9s", "duration": "30f" }"#
        let fade = #"{ "transition": "dissolve", "duration": "10f" }"#
        func a(_ frames: Int) -> String { "{ \"asset\": \"a\", \"duration\": \"\(frames)f\" }" }
        func first(_ items: [String]) throws -> Int64? {
            try compiled(items).plan(segmentCount: 2).segments.first?.task.postRollCount
        }
        #expect(try first([a(30), b]) == 0)
        #expect(try first([a(30), jump]) == 0)
        #expect(try first([a(60)]) == 20)
        #expect(try first([a(37), #"{ "asset": "b", "duration": "23f" }"#]) == 7)
        #expect(try first([a(40), fade, b]) == 20)
        let small = #"{ "asset": "b", "scale": 0.5, "duration": "9f" }"#
        let above = "{ \"kind\": \"video\", \"segments\": [{ \"gap\": \"33f\" }, \(small)] }"
        let text = #"""
            { "schema": "edit/1",
              "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a", "b": "b" }, "outputs": [{ "preset": "h264" }],
              "tracks": [{ "kind": "video", "segments": [\#(a(60))] }, \#(above)] }
            """#
        let plan = try Compiled(text, assets).plan(segmentCount: 2)
        #expect(plan.segments.first?.task.postRollCount == 20)
    }

    @Test func aRangeNamesNothingOutsideOfIt() throws {
        let items = ["a", "b", "c"].map { "{ \"asset\": \"\($0)\", \"duration\": \"20s\" }" }
        let outputs = #"[{ "preset": "h264", "range": ["22s", "15s"] }]"#
        let plan = try compiled(items, outputs: outputs).plan()
        #expect(plan.frameCount == 375)
        #expect(plan.segments.first?.frames.start == 0 && plan.segments.last?.frames.end == 375)
        #expect(Set(plan.segments.flatMap(\.task.assets)) == [SampleAsset.digest("b")])
        #expect(plan.segments.last?.task.postRollCount == 0)
        #expect(plan.segments[0].task.instructions[0].layers[0].from?.start == RationalTime(whole: 2))
        let sound = try #require(plan.sound)
        #expect(sound.assets == [SampleAsset.digest("b")])
        #expect(sound.firstSample == 22 * 48_000 && sound.sampleCount == 15 * 48_000)
        #expect(sound.tracks.flatMap(\.segments).map(\.start) == [20 * 48_000])
    }

    @Test func bordersOfARangeAreBordersOfTheWhole() throws {
        let items = ["a", "b", "c"].map { "{ \"asset\": \"\($0)\", \"duration\": \"20s\" }" }
        let outputs = #"[{ "preset": "h264" }, { "preset": "h264", "range": ["3s", "50s"] }]"#
        let both = try compiled(items, outputs: outputs)
        let whole = Set(starts(try both.plan(output: 0)))
        let part = starts(try both.plan(output: 1)).dropFirst().map { $0 + 75 }
        // Only next to the range's own ends may they differ.
        #expect(part.filter { $0 > 75 + 250 && $0 < 1325 - 250 }.allSatisfy(whole.contains))
    }

    @Test func aPlanDependsOnItsInputsAlone() throws {
        let items = (0..<20).map {
            "{ \"asset\": \"\(["a", "b", "c"][$0 % 3])\", \"in\": \"\($0)s\", \"duration\": \"9s\" }"
        }
        let compiled = try compiled(items)
        let first = try compiled.plan()
        var facts = compiled.facts
        facts[SampleAsset.digest("other")] = SampleAsset.minute("other").facts
        let composition = try #require(compiled.composition)
        let second = try Planner.plan(composition, output: 0, facts: facts, segmentCount: nil)
        #expect(first == second)
        #expect(try WireJSON.encode(first) == WireJSON.encode(second))
    }

    @Test func plansAndCompositionsSurviveJSON() throws {
        let compiled = try compiled([
            #"{ "asset": "a", "duration": "20s", "volume": "-6dB" }"#,
            #"{ "transition": "dissolve", "duration": "1s" }"#, #"{ "asset": "b", "duration": "20s" }"#,
        ])
        let plan = try compiled.plan()
        #expect(try WireJSON.decode(RenderPlan.self, from: WireJSON.encode(plan)) == plan)
        let composition = try #require(compiled.composition)
        #expect(try JSONDecoder().decode(Composition.self, from: CanonicalJSON.data(composition)) == composition)
        let stitch = plan.stitchTask()
        #expect(try JSONDecoder().decode(StitchTask.self, from: CanonicalJSON.data(stitch)) == stitch)
        #expect(stitch.partFrameCounts.reduce(0, +) == plan.frameCount && stitch.hasSound)
    }

    @Test func wrongRequestsAreErrors() throws {
        let compiled = try compiled([#"{ "asset": "a", "duration": "4s" }"#])
        var composition = try #require(compiled.composition)
        #expect(throws: PlanError.noSuchOutput(3, count: 1)) { try compiled.plan(output: 3) }
        #expect(throws: PlanError.missingFacts(SampleAsset.digest("a"))) {
            try Planner.plan(composition, output: 0, facts: [:], segmentCount: nil)
        }
        composition.videoTracks[0].segments[0].stream = 7
        #expect(throws: PlanError.missingStream(SampleAsset.digest("a"), stream: 7)) {
            try Planner.plan(composition, output: 0, facts: compiled.facts, segmentCount: nil)
        }
        composition.instructions = []
        #expect(throws: PlanError.self) {
            try Planner.plan(composition, output: 0, facts: compiled.facts, segmentCount: nil)
        }
    }
}
