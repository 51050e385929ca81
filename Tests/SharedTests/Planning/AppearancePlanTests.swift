import Foundation
import Testing

@testable import Shared

/// What planning makes of appearances.
@Suite struct AppearancePlanTests {
    static let assets = ["a": SampleAsset.minute("a"), "b": SampleAsset.minute("b")]
    static let fade = #""opacity": [{ "at": "0s", "value": 0 }, { "at": "3s", "value": 1 }]"#

    private func plan(
        _ items: [String],
        size: String = "[1280, 720]",
        outputs: String = #"[{ "preset": "h264" }]"#,
        segments: Int? = nil
    ) throws -> RenderPlan {
        let text = editText(items, assets: ["a", "b"], size: size, outputs: outputs)
        return try Compiled(text, Self.assets).plan(segmentCount: segments)
    }

    private func sources(_ plan: RenderPlan) throws -> [SliceSource] {
        try plan.segments.map { try #require($0.task.instructions[0].layers[0].from) }
    }

    @Test func itemTimeGoesOnOverBorders() throws {
        let items = [#"{ "asset": "a", "duration": "1s" }"#, #"{ "asset": "b", "duration": "6s", \#(Self.fade) }"#]
        let found = try sources(plan(items, segments: 7))
        #expect(found[0].itemTime == nil)
        #expect(found.dropFirst().map(\.itemTime) == (0..<6).map { RationalTime(whole: $0) })
        #expect(Set(found.dropFirst().map(\.appearance)).count == 1)
    }

    @Test func equalAnimationsHaveEqualKeysWhereverTheyStand() throws {
        let moving = #"{ "asset": "a", "in": "3s", "duration": "6s", \#(Self.fade) }"#
        let still = #"{ "asset": "b", "in": "1s", "duration": "6s", "rotate": 5 }"#
        let found = try plan([moving, still, moving, still, moving])
        #expect(found.segments.count == 5)
        #expect(found.segments[0].key == found.segments[2].key)
        #expect(found.segments[1].key == found.segments[3].key)
        #expect(try sources(found)[1].itemTime == nil)
    }

    @Test func aTracksKeysCountFromTheTimelinesZero() throws {
        let text = editText([#"{ "gap": "2s" }"#, #"{ "asset": "a", "duration": "4s" }"#], assets: ["a"])
            .replacing("\"id\": \"main\",", with: "\"id\": \"main\", \(Self.fade), \"position\": [\"25%\", 9],")
        let compiled = try Compiled(text, Self.assets)
        let found = try #require(
            compiled.plan(segmentCount: 3).segments[2].task.instructions.last?.layers.first?.from
        )
        #expect(found.appearance == nil && found.itemTime == nil)
        #expect(found.track?.position?.value(at: .zero) == [320, 9])
        #expect(found.trackTime == RationalTime(whole: 4))
        let data = try CanonicalJSON.data(try #require(compiled.composition))
        #expect(try JSONDecoder().decode(Composition.self, from: data) == compiled.composition)
    }

    @Test func lengthsScaleWithTheOutput() throws {
        let keys = #""position": [960, 90], "crop": [6, 12, 0, 0], "scale": 2, "rotate": 7"#
        let item = #"{ "asset": "a", "duration": "4s", \#(keys) }"#
        let small = try sources(plan([item], size: "[1920, 1080]", outputs: #"[{ "preset": "h264-720p" }]"#))[0]
        #expect(small.appearance?.position?.value(at: .zero) == [640, 60])
        #expect(small.appearance?.crop?.value(at: .zero) == [4, 8, 0, 0])
        #expect(small.appearance?.scale?.value(at: .zero) == [2, 2])
        #expect(small.appearance?.rotate?.value(at: .zero) == [7])
        #expect(try sources(plan([item]))[0].appearance?.position?.value(at: .zero) == [960, 90])
    }

    private func layers(_ top: String) throws -> [SliceLayer] {
        let text = """
            { "schema": "edit/1", "format": { "size": [1280, 720], "frameRate": "25" },
              "assets": { "low": "low.mp4", "top": "top.mp4" },
              "tracks": [ { "kind": "video", "segments": [ { "asset": "low", "duration": "8s" } ] },
                          { "kind": "video", "segments": [ { "asset": "top", "duration": "8s", \(top) } ] } ] }
            """
        let assets = ["low": SampleAsset.minute("low"), "top": SampleAsset.minute("top")]
        return try Compiled(text, assets).plan().segments[0].task.instructions[0].layers
    }

    @Test(arguments: [
        #""opacity": 0.5"#, #""scale": 0.5"#, #""rotate": 90"#, #""position": [640, 360]"#, #""crop": [1, 0, 0, 0]"#,
        #""blend": "multiply""#,
        #""scale": [{ "at": "0s", "value": 1, "ease": "outBack" }, { "at": "1s", "value": 1.1 }]"#,
    ])
    func whatMayBeSeenBelowStays(keys: String) throws {
        #expect(try layers(keys).count == 2)
    }

    @Test(arguments: [
        #""opacity": 1"#, #""scale": 1.5"#,
        #""scale": [{ "at": "0s", "value": 1, "ease": "outCubic" }, { "at": "8s", "value": 1.2 }]"#,
    ])
    func whatSurelyCoversHides(keys: String) throws {
        #expect(try layers(keys).count == 1)
    }

    @Test(arguments: [
        #""opacity": 0"#,
        #""opacity": [{ "at": "0s", "value": 0 }, { "at": "9s", "value": 0 }, { "at": "10s", "value": 1 }]"#,
        #""opacity": [{ "at": "-2s", "value": 1 }, { "at": "-1s", "value": 0 }], "rotate": 3"#,
    ])
    func theInvisibleIsAbsent(keys: String) throws {
        let found = try layers(keys)
        #expect(found.count == 1 && found[0].from?.appearance == nil)
        #expect(try layers(Self.fade).count == 2)
    }
}
