import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

/// What becomes of the colour tables and masks that effects name. The edit has 1280×720 pixels at 25 fps.
@Suite struct CompileEffectAssetsTests {
    private let assets: [String: CompilerAsset] = {
        var matte = SampleAsset.minute("matte")
        matte.facts.video[0].pixelFormat = "yuva444p12le"
        var still = SampleAsset.minute("still")
        (still.facts.video[0].codec, still.facts.video[0].frameCount) = ("png", 1)
        let table = ColorTableFacts(dimensions: 3, size: 33, title: nil)
        let look = AssetFacts(container: "cube", byteCount: 1, video: [], audio: [], lut: table)
        return [
            "a": SampleAsset.minute("a"), "b": SampleAsset.minute("b"), "matte": matte, "still": still,
            "look": CompilerAsset(digest: SampleAsset.digest("look"), facts: look),
        ]
    }()

    private func compiled(_ item: String, track: String = "") throws -> Compiled {
        let named = assets.keys.sorted().map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1", "assets": { \(named) },
              "format": { "size": [1280, 720], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "tracks": [ { "kind": "video", \(track) "segments": [ \(item) ] } ],
              "outputs": [{ "preset": "h264" }] }
            """
        return try Compiled(text, assets)
    }

    /// The one effect of a clip from 10 s on, its composition too.
    private func effect(_ effect: String, _ keys: String = "") throws -> (PictureEffect, Composition) {
        let item = """
            { "asset": "a", "in": "10s", "duration": "4s", \(keys) "effects": [\(effect)] }
            """
        let result = try compiled(item)
        let composition = try #require(result.composition, "\(result.errors)")
        return (try #require(composition.videoTracks[0].segments[0].appearance?.effects?.first), composition)
    }

    @Test func aTableIsAnAsset() throws {
        let (found, composition) = try effect(#"{ "effect": "lut", "asset": "look", "amount": 0.5 }"#)
        #expect(composition.assets.map(\.name) == ["a", "look"])
        #expect(found.source == EffectSource(asset: 1))
        #expect(found.values[.amount]?.value(at: .zero) == [0.5])
        #expect(composition.findings().isEmpty)
    }

    /// A mask runs in the clip's time, whatever its speed; `in` says what of it stands beside the clip's own.
    @Test(arguments: ["", #""speed": 2,"#, #""speed": -1,"#]) func aMaskRunsInTheClipsTime(keys: String) throws {
        let plain = try effect(#"{ "effect": "mask", "asset": "b" }"#, keys).0
        #expect(
            plain.source == EffectSource(asset: 1, stream: 0, channel: .luma, clock: .source, offset: .zero)
        )
        let later = try effect(##"{ "effect": "mask", "asset": "b", "in": "#50" }"##, keys).0
        #expect(later.source?.offset == RationalTime(whole: -8))
    }

    @Test func alphaIsUsedWhereThereIsOne() throws {
        #expect(try effect(#"{ "effect": "mask", "asset": "matte" }"#).0.source?.channel == .alpha)
        let luma = try effect(#"{ "effect": "mask", "asset": "matte", "channel": "luma" }"#).0
        #expect(luma.source?.channel == .luma)
    }

    @Test func aStillHasNoTime() throws {
        let found = try effect(#"{ "effect": "mask", "asset": "still", "invert": true }"#).0
        #expect(found.source == EffectSource(asset: 1, stream: 0, channel: .luma))
        #expect(!found.isAnimated)
        #expect(found.values[.invert]?.value(at: .zero) == [1])
    }

    /// Beside a still, and on a track, a mask runs with the keys.
    @Test func withoutAMovingSourceAMaskRunsWithTheKeys() throws {
        let mask = #""effects": [{ "effect": "mask", "asset": "b", "in": "2s" }]"#
        let still = try compiled("{ \"asset\": \"still\", \"duration\": \"4s\", \(mask) }")
        let composition = try #require(still.composition, "\(still.errors)")
        let expected = EffectSource(
            asset: 1,
            stream: 0,
            channel: .luma,
            clock: .item,
            offset: RationalTime(whole: 2)
        )
        let appearance = try #require(composition.videoTracks[0].segments[0].appearance)
        #expect(appearance.effects?.first?.source == expected)
        #expect(appearance.isAnimated)
        let track = try compiled(#"{ "asset": "a", "duration": "4s" }"#, track: mask + ",")
        #expect(track.composition?.videoTracks[0].appearance?.effects?.first?.source == expected)
    }

    /// The task has all that it needs, numbered anew, and equal slices are equal wherever they are cut.
    @Test func masksAndTablesAreInThePlan() throws {
        let item = """
            { "asset": "a", "in": "10s", "duration": "4s", "effects": [
              { "effect": "mask", "asset": "b" }, { "effect": "lut", "asset": "look" } ] }
            """
        let result = try compiled(#"{ "asset": "b", "duration": "4s" },"# + item)
        let composition = try #require(result.composition, "\(result.errors)")
        let facts = Dictionary(assets.values.map { ($0.digest, $0.facts) }) { first, _ in first }
        let plan = try Planner.plan(composition, output: 0, facts: facts, segmentCount: 4)
        let last = try #require(plan.segments.last).task
        #expect(last.assets == ["a", "b", "look"].map(SampleAsset.digest))
        let sources = last.instructions[0].layers[0].from?.appearance?.effectSources
        #expect(sources?.map(\.asset) == [1, 2])
    }

    @Test func whatIsNoMaskAndNoTableIsSaid() throws {
        let cases: [(String, String, String)] = [
            (#"{ "asset": "look", "duration": "1s" }"#, "no-picture", "33 × 33 × 33 points"),
            (#"{ "asset": "a", "effects": [{ "effect": "lut", "asset": "b" }] }"#, "no-lut", "h264"),
            (#"{ "asset": "a", "effects": [{ "effect": "mask", "asset": "look" }] }"#, "no-picture", "a LUT"),
            (
                #"{ "asset": "a", "effects": [{ "effect": "mask", "asset": "b", "channel": "alpha" }] }"#, "no-alpha",
                "yuv420p"
            ),
            (
                ##"{ "asset": "a", "effects": [{ "effect": "mask", "asset": "b", "in": "#9999" }] }"##, "in-past-end",
                "frame 1499"
            ),
        ]
        for (item, rule, word) in cases {
            let errors = try compiled(item).errors
            #expect(errors.map(\.rule) == [rule], "\(errors)")
            #expect(errors.first?.message.contains(word) == true, "\(errors)")
        }
    }

    /// A canonical edit is checked against its assets likewise.
    @Test func canonicalSourcesAreChecked() throws {
        var (found, composition) = try effect(#"{ "effect": "lut", "asset": "look" }"#)
        found.source?.asset = 0
        composition.videoTracks[0].segments[0].appearance?.effects = [found]
        let text = String(decoding: try CanonicalJSON.data(composition), as: UTF8.self)
        #expect(try Compiled(text, assets).errors.map(\.rule) == ["no-lut"])
    }
}
