// The numbers stand here and are known to be right.
// swift-format-ignore-file: NeverUseForceTry

import EditSamples
import Testing

@testable import CompositionModel
@testable import Timing

/// Where segments land on the timeline.
@Suite struct CompileLayoutTests {
    let assets = [
        "a": SampleAsset.minute("a"),
        "b": SampleAsset.minute("b"),
        "v": SampleAsset.asset("v", [SampleAsset.variable(ticks: [40, 60, 20], count: 300, gop: 30)]),
        "odd": SampleAsset.asset("odd", [SampleAsset.video(rate: try! FrameRate(30_000, 1001), seconds: 10)]),
    ]

    private func composition(_ items: String..., rate: String = "25") throws -> Composition {
        let compiled = try Compiled(editText(items, assets: ["a", "b", "odd", "v"], rate: rate), assets)
        return try #require(compiled.composition, "\(compiled.errors)")
    }

    private func targets(_ composition: Composition) -> [String: [ClosedRange<Int64>]] {
        Dictionary(
            uniqueKeysWithValues: composition.videoTracks.map { track in
                (track.id, track.segments.map { $0.target.start...$0.target.end - 1 })
            }
        )
    }

    @Test func segmentsFollowEachOther() throws {
        let found = try composition(
            #"{ "asset": "a", "duration": "10f" }"#,
            #"{ "asset": "b", "in": "2.5s", "duration": "00:00:00:20" }"#,
            #"{ "gap": "1s" }"#,
            #"{ "asset": "a", "range": ["150ms", "400ms"] }"#,
            #"{ "asset": "b", "at": "4s", "duration": "2/25" }"#
        )
        #expect(targets(found) == ["main.a": [0...9, 10...29, 55...64, 100...101]])
        #expect(found.frameCount == 102)
        #expect(found.videoTracks[0].segments[1].sourceStart == (try RationalTime(5, 2)))
        #expect(found.videoTracks[0].segments[2].sourceStart == (try RationalTime(3, 20)))
        #expect(found.instructions.map(\.frames.count) == [30, 25, 10, 35, 2])
        #expect(found.instructions.map(\.layers.count) == [1, 0, 1, 0, 1])
    }

    @Test func dissolvesOverlapAndAlternate() throws {
        let found = try composition(
            #"{ "asset": "a", "duration": "50f" }"#,
            #"{ "transition": "dissolve", "duration": "10f" }"#,
            #"{ "asset": "b", "duration": "50f" }"#,
            #"{ "asset": "a", "in": "9s", "duration": "30f" }"#,
            #"{ "transition": "dissolve", "duration": "5f" }"#,
            #"{ "asset": "b", "duration": "20f" }"#
        )
        #expect(targets(found) == ["main.a": [0...49, 115...134], "main.b": [40...89, 90...119]])
        #expect(found.frameCount == 135)
        #expect(found.instructions.map(\.frames.start) == [0, 40, 50, 115, 120])
        let first = TransitionRamp(firstStep: 0, steps: 10)
        #expect(found.instructions[1].layers == [LayerInstruction(from: "main.a", to: "main.b", transition: first)])
        let second = TransitionRamp(firstStep: 0, steps: 5)
        #expect(found.instructions[3].layers == [LayerInstruction(from: "main.b", to: "main.a", transition: second)])
    }

    @Test func atTheEdgesADissolvePlaysAgainstTheBackgroundAndShortensNothing() throws {
        let found = try composition(
            #"{ "transition": "dissolve", "duration": "10f" }"#,
            #"{ "asset": "a", "duration": "50f" }"#,
            #"{ "transition": "dissolve", "duration": "20f" }"#,
            #"{ "gap": "25f" }"#,
            #"{ "transition": "dissolve", "duration": "5f" }"#,
            #"{ "asset": "b", "duration": "25f" }"#,
            #"{ "transition": "dissolve", "duration": "15f" }"#
        )
        #expect(found.frameCount == 100)
        #expect(found.instructions.map(\.frames.start) == [0, 10, 30, 50, 75, 80, 85])
        let layers = found.instructions.map(\.layers.first)
        #expect(
            layers[0] == LayerInstruction(from: nil, to: "main.a", transition: TransitionRamp(firstStep: 0, steps: 10))
        )
        #expect(
            layers[2] == LayerInstruction(from: "main.a", to: nil, transition: TransitionRamp(firstStep: 0, steps: 20))
        )
        #expect(layers[3] == nil)
        #expect(
            layers[6] == LayerInstruction(from: "main.a", to: nil, transition: TransitionRamp(firstStep: 0, steps: 15))
        )
    }

    @Test func transitionsMayTouchButNotOverlap() throws {
        let found = try composition(
            #"{ "asset": "a", "duration": "20f" }"#,
            #"{ "transition": "dissolve", "duration": "10f" }"#,
            #"{ "asset": "b", "duration": "20f" }"#,
            #"{ "transition": "dissolve", "duration": "10f" }"#,
            #"{ "asset": "a", "duration": "20f" }"#
        )
        #expect(found.frameCount == 40)
        #expect(found.instructions.map(\.frames.start) == [0, 10, 20, 30])
    }

    @Test func impliedDurationsAreTheRestInWholeFrames() throws {
        // 300 frames of 1001/30000 s are 10.01 s: 250.25 frames of 1/25 s.
        #expect(try composition(#"{ "asset": "odd" }"#).frameCount == 250)
        // From 0.03 s on 9.98 s are left: 249.5 frames, half away from zero.
        #expect(try composition(#"{ "asset": "odd", "in": "30ms" }"#).frameCount == 250)
        #expect(try composition(#"{ "asset": "odd", "in": "31ms" }"#).frameCount == 249)
    }

    @Test func anEndMayBePassedByHalfAFrame() throws {
        #expect(try composition(#"{ "asset": "odd", "in": "30ms", "duration": "250f" }"#).frameCount == 250)
        let compiled = try Compiled(
            editText([#"{ "asset": "odd", "in": "31ms", "duration": "250f" }"#], assets: ["odd"]),
            assets
        )
        #expect(compiled.errors.map(\.rule) == ["past-end"])
        #expect(compiled.errors[0].message.contains("10.031 s") && compiled.errors[0].message.contains("10.01 s"))
    }

    @Test func frameNumbersOfTheSourceAreTimes() throws {
        let found = try composition(
            ##"{ "asset": "odd", "in": "#120", "duration": "1s" }"##,
            ##"{ "asset": "v", "in": "#4", "duration": "1s" }"##
        )
        #expect(found.videoTracks[0].segments[0].sourceStart == (try RationalTime(120 * 1001, 30_000)))
        // 40 + 60 + 20 + 40 ms.
        #expect(found.videoTracks[0].segments[1].sourceStart == (try RationalTime(160, 1000)))
    }

    @Test func snappedPositionsAreRoundedOnceFromTheirExactPlace() throws {
        let items = (0..<6).map { _ in #"{ "asset": "a", "duration": "1.01s" }"# }
        let text = editText(items, assets: ["a"]).replacing(#""schema""#, with: #""snap": "nearest", "schema""#)
        let found = try #require(try Compiled(text, assets).composition)
        // n × 25.25 frames, half away from zero.
        #expect(found.videoTracks[0].segments.map(\.target.start) == [0, 25, 51, 76, 101, 126])
        #expect(found.frameCount == 152)
    }

    @Test func oneSnappedSegmentDoesNotMoveTheOthers() throws {
        let found = try composition(
            #"{ "asset": "a", "duration": "1.01s", "snap": "nearest" }"#,
            #"{ "asset": "b", "duration": "1s" }"#
        )
        #expect(targets(found) == ["main.a": [0...24, 25...49]])
    }

    @Test func dropFrameTimecodeCountsFrames() throws {
        let found = try composition(
            #"{ "gap": "00:01:00;02" }"#,
            #"{ "asset": "a", "duration": "00:00:01;00" }"#,
            rate: "30000/1001"
        )
        #expect(targets(found) == ["main.a": [1800...1829]])
    }

    @Test func severalTracksMakeInstructionsOfBoth() throws {
        let text = """
            { "schema": "edit/1", "assets": { "a": "a", "b": "b" }, "tracks": [
                { "kind": "video", "segments": [ { "asset": "a", "duration": "50f" },
                    { "transition": "dissolve", "duration": "10f" }, { "asset": "b", "duration": "50f" } ] },
                { "kind": "video", "id": "v1", "segments": [ { "asset": "b", "at": "45f", "duration": "20f" } ] } ] }
            """
        let found = try #require(try Compiled(text, assets).composition)
        // The unnamed track is not called v1: that is taken.
        #expect(found.videoTracks.map(\.id) == ["v2.a", "v2.b", "v1.a"])
        #expect(found.instructions.map(\.frames.start) == [0, 40, 45, 50, 65])
        let ramp = TransitionRamp(firstStep: 5, steps: 10)
        #expect(found.instructions[2].layers[0] == LayerInstruction(from: "v2.a", to: "v2.b", transition: ramp))
        #expect(found.instructions[2].layers[1] == LayerInstruction(track: "v1.a"))
    }
}
