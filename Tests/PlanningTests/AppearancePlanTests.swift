import EditSamples
import Foundation
import TestSupport
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

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
        let times = (0..<3).map { RationalTime(whole: $0) }
        #expect(found.dropFirst().map(\.itemTime) == times.map(Optional.init) + [nil, nil, nil])
        #expect(Set(found[1...3].map(\.appearance)).count == 1)
        // Nothing changes any more behind the last key.
        #expect(found[4...].allSatisfy { $0.appearance?.opacity == AnimatedProperty(constant: [1_000_000]) })
    }

    /// A task has the keys between which its frames lie: what is changed elsewhere leaves it as it is.
    @Test func aKeyThatIsMovedLeavesOtherSegmentsAlone() throws {
        func plan(_ change: Int) throws -> RenderPlan {
            let keys = (0...50).map { key in
                let value = key == change ? "0.77" : key % 2 == 0 ? "0.25" : "0.5"
                return "{ \"at\": \"\(key)s\", \"value\": \(value) }"
            }
            let list = keys.joined(separator: ", ")
            let effects = #""effects": [{ "effect": "exposure", "stops": [\#(list)] }]"#
            return try self.plan(
                [#"{ "asset": "a", "duration": "60s", "opacity": [\#(list)], \#(effects) }"#],
                segments: 12
            )
        }
        let (before, after) = (try plan(-1), try plan(23))
        let changed = zip(before.segments, after.segments).map { $0.key != $1.key }
        #expect(changed == (0..<12).map { $0 == 4 })
        let counts = try sources(before).map { $0.appearance?.opacity?.keys.count ?? 0 }
        // Frames of the post-roll are seen too. The last key is at 50 s.
        #expect(counts == Array(repeating: 7, count: 9) + [6, 1, 1])
        let grades = try sources(before).map { $0.appearance?.effects?[0].values[.stops]?.keys.count ?? 0 }
        #expect(grades == counts)
    }

    @Test(arguments: 0..<40) func trimmedKeysHaveTheSameValues(seed: Int) throws {
        var numbers = SplitMix(seed: UInt64(seed))
        var at: Int64 = -5
        let keys = try (0..<Int.random(in: 1...12, using: &numbers)).map { _ in
            at += Int64.random(in: 0...4, using: &numbers)
            let ease = Easing.named.randomElement(using: &numbers) ?? .linear
            let value = Int64.random(in: -9_000_000...9_000_000, using: &numbers)
            return AnimationKey(at: try RationalTime(at, 3), value: [value], ease: ease)
        }
        let whole = AnimatedProperty(keys: keys)
        for start: Int64 in -8...40 {
            for count: Int64 in [0, 1, 2, 7, 30] {
                let part = try whole.trimmed(from: RationalTime(start, 6), to: RationalTime(start + count, 6))
                #expect(part.keys.count <= whole.keys.count)
                for time in start...start + count {
                    #expect(try part.value(at: RationalTime(time, 6)) == whole.value(at: RationalTime(time, 6)))
                }
            }
        }
    }

    /// An output of another size does not cost new keys for every cut beside them.
    @Test func keysAreScaledOnce() throws {
        let keys = (0..<500).map { "{ \"at\": \"\($0)f\", \"value\": [\($0), 9] }" }.joined(separator: ", ")
        let cuts = Array(repeating: #"{ "asset": "b", "duration": "1f" }, { "gap": "1f" }"#, count: 250)
        let moved = #"{ "asset": "a", "duration": "20s", "position": [\#(keys)] }"#
        let text = editText(cuts, assets: ["a", "b"], size: "[1920, 1080]")
            .replacing(#""tracks": ["#, with: #""tracks": [{ "kind": "video", "segments": [\#(moved)] }, "#)
        let compiled = try Compiled(text, Self.assets)
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        let size = PictureSize(width: 1280, height: 720)
        let facts = try AssetTable(composition, facts: compiled.facts, size: size)
        let runs = try PictureRuns(composition, size: size, facts: facts).resolved()
        #expect(runs.count == 500)
        let moves = runs.compactMap { $0.layers[0].from?.appearance?.position?.keys }
        let places = moves.map { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        #expect(moves.count == 250 && Set(places).count == 1)
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
        let fade = Self.fade.replacing("3s", with: "6s")
        let text = editText([#"{ "gap": "2s" }"#, #"{ "asset": "a", "duration": "4s" }"#], assets: ["a"])
            .replacing("\"id\": \"main\",", with: "\"id\": \"main\", \(fade), \"position\": [\"25%\", 9],")
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
