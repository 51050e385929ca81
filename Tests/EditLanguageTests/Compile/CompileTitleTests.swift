import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

/// Titles on the timeline, in their canonical form, and what is wrong with them.
@Suite struct CompileTitleTests {
    static let wrongKeys: [(String, [String], String?)] = [
        (#""txet": "A", "duration": "1s""#, ["missing-key", "unknown-key"], "\"text\""),
        (#""text": "A", "duration": "1s", "align": "centre""#, ["unknown-value"], "\"center\""),
        (#""text": "A", "duration": "1s", "enter": "rize""#, ["unknown-value"], "\"rise\""),
        (#""text": "A", "duration": "1s", "font": { "weight": "blod" }"#, ["unknown-value"], "\"bold\""),
        (#""text": "A", "duration": "1s", "font": { "weight": 1000 }"#, ["number-range"], nil),
        (#""text": "A", "duration": "1s", "font": { "size": 0.5 }"#, ["number-range"], nil),
        (##""text": "A", "duration": "1s", "enter": { "move": "fade", "from": "left" }"##, ["contradiction"], nil),
        (#""text": "A", "duration": "1s", "color": "red""#, ["unknown-value"], "\"#ff0000\""),
        (#""text": "A", "duration": "1s", "box": { "anchor": "lowerleft" }"#, ["unknown-value"], nil),
        (#""text": "A", "duration": "1s", "opacity": 2"#, ["number-range"], nil),
        (#""text": "A", "duration": "1s", "layers": []"#, ["contradiction"], nil),
        (#""duration": "1s", "layers": []"#, ["missing-key"], nil),
        (
            #""duration": "1s", "layers": [{ "layer": "shpae", "shape": "ellipse", "size": [9, 9] }]"#,
            ["unknown-value"], "\"shape\""
        ),
        (#""duration": "1s", "layers": [{ "layer": "text", "text": "A", "repeat": 2 }]"#, ["contradiction"], nil),
        (
            #""duration": "1s", "layers": [{ "layer": "text", "text": "A", "duration": "1s", "repeat": 0 }]"#,
            ["number-range"], nil
        ),
        (
            #""duration": "1s", "layers": [{ "layer": "text", "text": "A", "duration": "1s", "repeat": 1000001 }]"#,
            ["number-range"], nil
        ),
        (#""text": "\u0000x", "duration": "1s""#, ["json"], nil),
        (#""text": "a\u0007b", "duration": "1s""#, ["unknown-value"], "\"ab\""),
        (#""text": "a", "language": "d\u0000e", "duration": "1s""#, ["json"], nil),
        (#""text": "A", "duration": "1s", "lineSpacing": 0"#, ["number-range"], nil),
        (#""duration": "1s", "layers": [{ "layer": "image", "asset": "clpi" }]"#, ["unknown-asset"], "\"clip\""),
    ]

    static let wrongTitles: [(String, String, String?)] = [
        (#"{ "text": "Ab", "duration": "1s", "font": { "family": "Noto Snas" } }"#, "font-missing", "\"Noto Sans\""),
        (#"{ "text": "Aж", "duration": "1s" }"#, "glyph-missing", nil),
        (#"{ "text": "A", "duration": "1s", "font": { "asset": "clip" } }"#, "no-font", nil),
        (#"{ "text": "A", "duration": "2s" }, { "text": "B", "at": "1s", "duration": "1s" }"#, "segments-overlap", nil),
        (#"{ "text": "A", "duration": "1s", "enter": { "move": "fade", "duration": "2s" } }"#, "move-too-long", nil),
        (
            #"{ "text": "A", "duration": "1s", "enter": { "move": "fade", "duration": "15f" }, "exit": { "move": "fade", "duration": "15f" } }"#,
            "moves-meet", nil
        ),
        (#"{ "text": "A", "duration": "0.05s" }"#, "off-frame", "\"1f\""),
        (
            "{ \"text\": \"\(String(repeating: "A", count: 200_000))\", \"duration\": \"1s\", \"font\": { \"size\": 65 } }",
            "text-too-large", nil
        ),
        (#"{ "text": "ABAB ABAB ABAB", "duration": "1s", "font": { "size": 4000 } }"#, "text-too-large", nil),
        (
            #"{ "duration": "1s", "layers": [{ "layer": "shape", "shape": "ellipse", "size": [16000, 16000] }] }"#,
            "shape-too-large", nil
        ),
    ]

    let assets = [
        "clip": SampleAsset.minute("clip"),
        "font:regular": SampleAsset.font("regular", SampleAsset.face("Noto Sans")),
        "font:bold": SampleAsset.font("bold", SampleAsset.face("Noto Sans", 700)),
        "font:cjk": SampleAsset.font("cjk", SampleAsset.face("Noto Sans CJK JP", covers: [32, 95, 0x4E00, 20_000])),
    ]

    private func text(_ titles: String, below: String = "") -> String {
        """
        { "schema": "edit/1", "format": { "size": [1000, 500], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
          "assets": { "clip": "clip.mp4" },
          "tracks": [ { "kind": "video", "segments": [ { "asset": "clip", "duration": "10s" } ] },
            { "kind": "title", "segments": [ \(titles) ] } ], "outputs": [{ "preset": "h264" }] }
        """
    }

    private func compiled(_ titles: String) throws -> Compiled { try Compiled(text(titles), assets) }

    private func segments(_ titles: String) throws -> [TitleTrackSegment] {
        let compiled = try compiled(titles)
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        return try #require(composition.titleTracks?.first).segments
    }

    @Test func titlesFollowEachOtherAndLieOverWhatIsBelow() throws {
        let compiled = try compiled(
            #"{ "text": "A", "duration": "1s" }, { "gap": "5f" }, { "text": "B", "duration": "2s" }"#
                + #", { "text": "C", "at": "4s", "duration": "10f" }"#
        )
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        let targets = composition.titleTracks?.first?.segments.map { [$0.target.start, $0.target.end] }
        #expect(targets == [[0, 25], [30, 80], [100, 110]])
        #expect(composition.instructions.map(\.layers.count) == [2, 1, 2, 1, 2, 1])
        #expect(composition.instructions[0].layers.map(\.from) == ["v1.a", "t1"])
        #expect(composition.findings().isEmpty)
        let plan = try compiled.plan(segmentCount: 3)
        #expect(plan.segments[0].task.instructions[0].layers[1].title?.layers.first?.text?.text == "A")
        // The video below a title stays, and its font is an asset of the task.
        #expect(plan.segments[0].task.instructions[0].layers[0].from != nil)
        #expect(plan.segments[0].task.assets.contains(SampleAsset.digest("regular")))
    }

    @Test func anEditWithoutTitlesKeepsItsForm() throws {
        let compiled = try Compiled(editText([#"{ "asset": "clip", "duration": "1s" }"#], assets: ["clip"]), assets)
        let json = String(decoding: try CanonicalJSON.data(try #require(compiled.composition)), as: UTF8.self)
        #expect(!json.contains("title"))
        for segment in try compiled.plan().segments {
            let task = String(decoding: try CanonicalJSON.data(segment.task), as: UTF8.self)
            #expect(!task.contains("title"))
        }
    }

    /// A crawl of one line, a roll of many, and lines that are broken in a box have room.
    @Test(arguments: [
        (String(repeating: "News ", count: 2000), #""font": { "size": 65 }"#),
        (String(repeating: #"A line of a long roll\n"#, count: 500), #""font": { "size": 65 }"#),
        (String(repeating: "Much text ", count: 1000), #""font": { "size": 80 }, "box": { "width": "80%" }"#),
        ("ABAB", #""font": { "size": 4000 }"#),
    ]) func longTextsAreGood(text: String, keys: String) throws {
        let compiled = try compiled("{ \"text\": \"\(text)\", \"duration\": \"1s\", \(keys) }")
        #expect(compiled.composition != nil, "\(compiled.errors)")
    }

    @Test func lengthsArePixelsOfTheFrame() throws {
        let layer = try segments(
            #"""
            { "text": "Ab", "duration": "1s", "font": { "size": "10%" }, "color": "#FFD070", "letterSpacing": "0.5%",
              "lineSpacing": 1.25, "align": "end", "outline": { "width": 2.5 }, "shadow": { "offset": [3, "1%"] },
              "box": { "anchor": "bottomRight", "margin": ["5%", 20], "width": "50%w",
                       "background": { "color": "#00000080", "padding": "2%", "radius": "1%w" } } }
            """#
        )[0].layers[0]
        let title = try #require(layer.text)
        #expect((title.size, title.letterSpacing, title.lineSpacing) == (50_000_000, 5_000_000, 1_250_000))
        #expect((title.color, title.alignment, title.box.anchor) == ("#ffd070ff", .end, .bottomRight))
        #expect((title.box.marginX, title.box.marginY, title.box.width) == (50_000_000, 20_000_000, 500_000_000))
        let padding = TitleBackground(
            color: "#00000080",
            paddingX: 20_000_000,
            paddingY: 10_000_000,
            radius: 10_000_000
        )
        #expect(title.box.background == padding)
        #expect(title.outline == TitleOutline(width: 2_500_000, color: "#000000ff"))
        #expect(title.shadow == TitleShadow(x: 3_000_000, y: 5_000_000, blur: 4_000_000, color: "#00000080"))
    }

    @Test func movesAreWrittenAsPlainAnimation() throws {
        let layer = try segments(
            #"""
            { "text": "Ab", "duration": "4s", "rotate": [{ "at": "0s", "value": 0 }, { "at": "1s", "value": 90 }],
              "enter": { "move": "slide", "from": "top", "duration": "1s" }, "exit": "fade" }
            """#
        )[0].layers[0]
        let linear = AnimationKey(at: try RationalTime(7, 2), value: [1_000_000])
        #expect(layer.motion?.opacity?.keys == [linear, AnimationKey(at: RationalTime(whole: 4), value: [0])])
        let ease = try #require(Easing("outCubic"))
        let from = AnimationKey(at: .zero, value: [0, -500_000_000], ease: ease)
        #expect(layer.motion?.offset?.keys == [from, AnimationKey(at: RationalTime(whole: 1), value: [0, 0])])
        #expect(layer.appearance?.rotate?.keys.count == 2)
        let short = try segments(#"{ "text": "Ab", "duration": "10f", "enter": "type", "exit": "pop" }"#)[0].layers[0]
        #expect(short.motion?.typed?.keys.last?.at == (try RationalTime(1, 5)))
        #expect(short.motion?.zoom?.keys.first?.at == (try RationalTime(1, 5)))
    }

    @Test func aSliceOfAMovingTitleKnowsItsTimeAndAStillOneDoesNot() throws {
        let turning = #""rotate": [{ "at": "0s", "value": 0 }, { "at": "8s", "value": 90 }]"#
        let moving = try compiled(#"{ "text": "A", "at": "1s", "duration": "8s", \#(turning) }"#).plan(segmentCount: 5)
        let times = moving.segments.dropFirst().map { $0.task.instructions[0].layers[1].title?.itemTime }
        #expect(times == (1...4).map { RationalTime(whole: 2 * $0 - 1) })
        let still = try compiled(#"{ "text": "A", "at": "1s", "duration": "8s" }"#).plan(segmentCount: 5)
        #expect(
            still.segments.allSatisfy { $0.task.instructions.allSatisfy { $0.layers.last?.title?.itemTime == nil } }
        )
    }

    /// A task has the keys of its own frames: one that is changed late leaves what is before as it is, and how fine the
    /// letters are drawn is that of the whole title.
    @Test func aTitlesLateKeyLeavesEarlierSegmentsAlone() throws {
        func plan(_ change: Int, _ value: String) throws -> RenderPlan {
            let keys = (0...10).map { "{ \"at\": \"\($0)s\", \"value\": \($0 == change ? value : "1.\($0 % 2)") }" }
            let list = keys.joined(separator: ", ")
            let group = #"{ "layer": "group", "scale": [\#(list)], "layers": [{ "layer": "text", "text": "A" }] }"#
            return try compiled(
                #"{ "duration": "10s", "enter": "fade", "exit": "fade", "layers": [\#(group)] }"#
            ).plan(segmentCount: 10)
        }
        let (before, after, larger) = (try plan(-1, ""), try plan(8, "1.9"), try plan(8, "3"))
        let changed = zip(before.segments, after.segments).map { $0.key != $1.key }
        // The post-roll of the one before is seen too.
        #expect(changed == (0..<10).map { [6, 7, 8].contains($0) })
        // Larger letters are drawn finer, in all of the title.
        #expect(zip(before.segments, larger.segments).allSatisfy { $0.key != $1.key })
        func text(_ plan: RenderPlan) -> TitleLayer? {
            plan.segments[3].task.instructions[0].layers.last?.title?.layers[0].group?[0].group?[0]
        }
        #expect(text(before)?.detail == 2 && text(larger)?.detail == 4)
        // In the middle the title neither comes nor goes.
        #expect(before.segments[3].task.instructions[0].layers.last?.title?.layers[0].motion == nil)
    }

    /// An ease that overshoots makes letters larger than its keys say.
    @Test(arguments: [("linear", 2), ("outBack", 4), ("inBack", 2), ("outElastic", 4)])
    func overshootIsDrawnAsSharp(ease: String, detail: Int) throws {
        let keys = #"[{ "at": "0s", "value": 1, "ease": "\#(ease)" }, { "at": "2s", "value": 1.95 }]"#
        let plan = try compiled(#"{ "text": "A", "duration": "4s", "scale": \#(keys) }"#).plan(segmentCount: 1)
        #expect(plan.segments[0].task.instructions[0].layers.last?.title?.layers[0].detail == detail)
    }

    @Test func theFaceThatIsAskedForDrawsAndOthersHelpOut() throws {
        let title = try compiled(
            #"{ "text": "Ab 漢字", "duration": "1s", "font": { "family": "noto sans", "weight": "bold" } }"#
        )
        let composition = try #require(title.composition, "\(title.errors)")
        let faces = try #require(composition.titleTracks?[0].segments[0].layers[0].text?.faces)
        #expect(faces.map { composition.assets[$0.asset].name } == ["font:bold", "font:cjk"])
    }

    @Test(arguments: wrongTitles)
    func findings(title: String, rule: String, suggestion: String?) throws {
        let found = try compiled(title).errors
        #expect(found.map(\.rule) == [rule])
        #expect(found.first?.suggestion == suggestion)
    }

    @Test(arguments: wrongKeys)
    func readingFindings(keys: String, rules: [String], suggestion: String?) {
        let found = EditReader.read(text("{ \(keys) }")).findings.filter { $0.severity == .error }
        #expect(found.map(\.rule).sorted() == rules)
        #expect(suggestion == nil || found.contains { $0.suggestion == suggestion })
    }

    @Test func layersAreATreeWithTimesOfTheirOwn() throws {
        let layers = try segments(
            #"""
            { "duration": "4s", "layers": [
              { "layer": "image", "asset": "clip", "width": "10%", "box": { "anchor": "topRight" } },
              { "layer": "group", "beginTime": "1s", "duration": "2s", "repeat": 1.5, "autoreverse": true, "speed": "1/2",
                "opacity": [{ "at": "0s", "value": 0 }, { "at": "2s", "value": 1 }], "layers": [
                { "layer": "shape", "shape": "ellipse", "size": [40, "10%"], "color": "#ff0000" },
                { "layer": "text", "text": "Ab" } ] } ] }
            """#
        )[0].layers
        let box = TitleBox(anchor: .topRight)
        let image = TitleImage(asset: 0, stream: 0, width: 100_000_000, height: 56_250_000, box: box)
        #expect(layers.map(\.image) == [image, nil])
        let timing = LayerTiming(
            begin: RationalTime(whole: 1),
            speed: try RationalTime(1, 2),
            duration: RationalTime(whole: 2),
            total: RationalTime(whole: 6),
            autoreverses: true
        )
        #expect(layers[1].timing == timing)
        #expect(layers[1].appearance?.opacity?.keys.count == 2)
        let shape = layers[1].group?.first?.shape
        #expect((shape?.width, shape?.height, shape?.color) == (40_000_000, 50_000_000, "#ff0000ff"))
        #expect(layers[1].group?.last?.text?.text == "Ab")
        #expect(layers[1].isAnimated && !layers[0].isAnimated)
    }

    /// What a `composition/1` may have and no edit makes.
    static let canonicalBreaks: [(String, String, @Sendable (inout TitleLayer) -> Void)] = [
        ("no-picture", "", { $0.group?[0].image?.stream = 7 }), ("no-picture", "", { $0.group?[0].image?.stream = 1 }),
        ("unknown-asset", "/group/0/image/asset", { $0.group?[0].image?.asset = 9 }),
        ("animation", "/motion/opacity/keys/0/value", { $0.motion?.opacity?.keys[0].value = [2_000_000] }),
        ("animation", "/motion/opacity/keys/0/value", { $0.motion?.opacity?.keys[0].value = [0, 0] }),
        ("animation", "/motion/opacity/keys/1/at", { $0.motion?.opacity?.keys[1].at = RationalTime(whole: -9) }),
        ("animation", "/motion/opacity/keys", { $0.motion?.opacity?.keys = [] }),
        (
            "animation", "/motion/offset/keys/0/value",
            { $0.motion?.offset = AnimatedProperty(constant: [0, .max]) }
        ),
        ("animation", "/motion/zoom/keys/0/value", { $0.motion?.zoom = AnimatedProperty(constant: [-1]) }),
        ("animation", "/motion/typed/keys/0/value", { $0.motion?.typed = AnimatedProperty(constant: [1_000_001]) }),
        ("title", "/timing/speed", { $0.timing = LayerTiming(speed: RationalTime(whole: 21)) }),
        ("title", "/timing/begin", { $0.timing = LayerTiming(begin: RationalTime(whole: .max)) }),
        ("title", "/timing/duration", { $0.timing = LayerTiming(duration: RationalTime(whole: 400_000)) }),
        ("title", "/timing/total", { $0.timing = LayerTiming(total: RationalTime(whole: .max)) }),
    ]

    @Test(arguments: canonicalBreaks.indices) func aCanonicalTitleIsCheckedAsAnEditsIs(index: Int) throws {
        let broken = CompileTitleTests.canonicalBreaks[index]
        var composition = try #require(
            try compiled(
                #"{ "duration": "1s", "enter": "fade", "layers": [{ "layer": "image", "asset": "clip" }] }"#
            ).composition
        )
        func errors() -> [Finding] { EditCompiler.compile(.composition(composition), assets: assets).findings }
        #expect(errors().isEmpty)
        var layer = try #require(composition.titleTracks?[0].segments[0].layers[0])
        broken.2(&layer)
        composition.titleTracks?[0].segments[0].layers[0] = layer
        let found = errors()
        let pointer = "/titleTracks/0/segments/0" + (broken.1.isEmpty ? "" : "/layers/0" + broken.1)
        #expect(found.map(\.rule) == [broken.0] && found.map(\.pointer) == [pointer], "\(found)")
    }

    @Test func aTitleOfLayersMovesAsAGroup() throws {
        let layers = try segments(
            #"{ "duration": "1s", "enter": "fade", "layers": [{ "layer": "text", "text": "A" }, { "layer": "text", "text": "B" }] }"#
        )[0].layers
        #expect(layers.map { $0.group?.compactMap(\.text?.text) } == [["A", "B"]])
        #expect(layers[0].motion?.opacity != nil)
    }

    @Test func fontDescriptorsAreWhatTheMachineIsAsked() throws {
        let titles = """
            { "text": "A", "duration": "1s", "font": { "family": ["Inter", "Noto Sans"], "weight": 700 } },
            { "text": "A", "duration": "1s", "font": { "family": ["Inter", "Noto Sans"], "weight": 700, "size": 9 } },
            { "text": "B", "duration": "1s", "font": { "asset": "clip" } }
            """
        guard case .edit(let edit) = EditReader.read(text(titles)).document else {
            Issue.record("the edit cannot be read")
            return
        }
        let descriptor = FontDescriptor(
            families: ["Inter", "Noto Sans"],
            weight: 700,
            isItalic: false,
            language: nil,
            text: "A"
        )
        #expect(edit.fontDescriptors().map(\.value) == [descriptor])
    }

    @Test func thousandsOfSubtitlesHaveThousandsOfFontDescriptors() throws {
        let titles = (0..<6000).map { "{ \"text\": \"\($0 % 5000)\", \"duration\": \"1s\" }" }
        guard case .edit(let edit) = EditReader.read(text(titles.joined(separator: ","))).document else {
            Issue.record("the edit cannot be read")
            return
        }
        #expect(edit.fontDescriptors().map(\.value.text) == (0..<5000).map(String.init))
    }
}
