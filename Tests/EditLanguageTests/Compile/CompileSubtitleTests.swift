import EditSamples
import Planning
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

/// Subtitles on the timeline, in their canonical form, and what is wrong with them.
@Suite struct CompileSubtitleTests {
    private static func words(_ text: String, fonts: [SubtitleFacts.Font] = []) throws -> CompilerAsset {
        let script = try SubtitleScript(Array(text.utf8))
        let facts = AssetFacts(
            container: script.format.rawValue,
            byteCount: 1,
            video: [],
            audio: [],
            subtitles: SubtitleFacts(script, fonts: fonts)
        )
        return CompilerAsset(digest: SampleAsset.digest(text), facts: facts)
    }

    private static let subRip = "1\n00:00:01,000 --> 00:00:04,000\nAb <b>漢</b>\n"
    private static let ass = """
        [Script Info]

        [V4+ Styles]
        Format: Name, Fontname, Bold, Italic
        Style: Default,Arial,0,0

        [Events]
        Format: Start, End, Style, Text
        Dialogue: 0:00:00.00,0:00:02.00,Default,Hello
        """

    private func compiled(
        _ title: String,
        _ file: String = subRip,
        fonts: [SubtitleFacts.Font] = [],
        without: Set<String> = []
    ) throws -> Compiled {
        var assets = [
            "clip": SampleAsset.minute("clip"), "words": try Self.words(file, fonts: fonts),
            "font:regular": SampleAsset.font("regular", SampleAsset.face("Noto Sans")),
            "font:bold": SampleAsset.font("bold", SampleAsset.face("Noto Sans", 700)),
            "font:cjk": SampleAsset.font(
                "cjk",
                SampleAsset.face("Noto Sans CJK JP", covers: [32, 95, 0x4E00, 20_000])
            ),
            "font:emoji": SampleAsset.font(
                "emoji",
                SampleAsset.face("Emoji", covers: [0x1F600, 10], isColor: true)
            ),
        ]
        for name in without { assets[name] = nil }
        let text = """
            { "schema": "edit/1", "format": { "size": [1000, 500], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "clip": "clip.mp4", "words": "words.srt" },
              "tracks": [ { "kind": "video", "segments": [ { "asset": "clip", "duration": "10s" } ] },
                { "kind": "title", "segments": [ \(title) ] } ], "outputs": [{ "preset": "h264" }] }
            """
        return try Compiled(text, assets)
    }

    private func subtitles(
        _ title: String,
        _ file: String = subRip,
        fonts: [SubtitleFacts.Font] = []
    ) throws
        -> (TitleSubtitles, Composition)
    {
        let compiled = try compiled(title, file, fonts: fonts)
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        let layer = try #require(composition.titleTracks?.first?.segments.first?.layers.first)
        return (try #require(layer.subtitles), composition)
    }

    @Test func cuesGetTheirFacesAndTheirStyle() throws {
        let (subtitles, composition) = try subtitles(
            ##"{ "subtitles": "words", "duration": "4s", "in": "1s", "color": "#ffff00", "box": { "width": "80%w" } }"##
        )
        #expect(composition.findings().isEmpty)
        #expect(subtitles.start == RationalTime(whole: 1))
        #expect(composition.assets[subtitles.asset].name == "words")
        let names = subtitles.families.map { family in
            (family.name, family.faces.map { composition.assets[$0.asset].name })
        }
        #expect(names.map(\.0) == [""])
        #expect(names.map(\.1) == [["font:regular", "font:bold"]])
        #expect(subtitles.fallback.map { composition.assets[$0.asset].name } == ["font:cjk"])
        let style = try #require(subtitles.style)
        #expect((style.size, style.outline.width, style.color) == (25_000_000, 1_562_500, "#ffff00ff"))
        #expect((style.marginLeft, style.marginRight, style.marginVertical) == (100_000_000, 100_000_000, 20_000_000))
        #expect(style.anchor == .bottom)
    }

    @Test func workersGetTheFileAndItsFonts() throws {
        let compiled = try compiled(#"{ "subtitles": "words", "duration": "4s" }"#)
        let plan = try compiled.plan(segmentCount: 2)
        for (number, segment) in plan.segments.prefix(1).enumerated() {
            let layer = try #require(segment.task.instructions[0].layers.last)
            let subtitles = try #require(layer.title?.layers.first?.subtitles)
            #expect(segment.task.assets[subtitles.asset] == SampleAsset.digest(Self.subRip))
            #expect(layer.title?.itemTime == (number == 0 ? .zero : nil))
            #expect(Set(subtitles.faces.map { segment.task.assets[$0.asset] }).count == 3)
        }
    }

    @Test func anAssFileKeepsItsStylesAndMayGetAnotherFamily() throws {
        let (subtitles, composition) = try subtitles(
            #"{ "subtitles": "words", "duration": "2s", "font": { "family": "Noto Sans" } }"#,
            Self.ass
        )
        #expect(subtitles.style == nil)
        #expect(subtitles.families.map(\.name) == ["Arial"])
        #expect(composition.assets[subtitles.faces[0].asset].name == "font:regular")
    }

    @Test func fontsInTheFileComeFirst() throws {
        let own = SubtitleFacts.Font(number: 3, faces: [SampleAsset.face("arial")])
        let (subtitles, composition) = try subtitles(
            #"{ "subtitles": "words", "duration": "2s" }"#,
            Self.ass,
            fonts: [own]
        )
        #expect(subtitles.faces == [SubtitleFace(asset: subtitles.asset, font: 3, index: 0)])
        #expect(composition.assets.map(\.name) == ["clip", "words"])
    }

    static let wrong: [(String, String, Set<String>, String, String)] = [
        (#"{ "subtitles": "clip", "duration": "1s" }"#, subRip, [], "no-subtitles", "is no SubRip"),
        (#"{ "subtitles": "words", "duration": "1s" }"#, ass, [], "font-missing", "\"Arial\", which is not there"),
        (#"{ "subtitles": "words", "duration": "1s" }"#, subRip, ["font:cjk"], "glyph-missing", "“漢” (U+6F22)"),
        (
            #"{ "subtitles": "words", "duration": "1s" }"#, "1\n00:00:00,000 --> 00:00:01,000\n😀\n", [],
            "glyph-missing", "without colours"
        ),
        (#"{ "subtitles": "words", "duration": "1s", "in": "5s" }"#, subRip, [], "in-past-end", "past the last cue"),
        (
            ##"{ "subtitles": "words", "duration": "1s", "color": "#ffffff", "font": { "family": "Noto Sans" } }"##,
            ass,
            [], "contradiction", "brings its own styles"
        ),
    ]

    @Test(arguments: wrong)
    func whatIsWrongIsSaid(title: String, file: String, without: Set<String>, rule: String, words: String) throws {
        let errors = try compiled(title, file, without: without).errors
        #expect(errors.map(\.rule) == [rule], "\(errors)")
        #expect(errors.first?.message.contains(words) == true, "\(errors)")
    }

    static let wrongKeys: [(String, [String])] = [
        (#""subtitles": "wodrs", "duration": "1s""#, ["unknown-asset"]),
        (#""subtitles": "words", "duration": "1s", "text": "A""#, ["contradiction"]),
        (#""subtitles": "words", "duration": "1s", "shadow": {}"#, ["contradiction"]),
        (#""subtitles": "words", "duration": "1s", "enter": "type""#, ["contradiction"]),
        (##""subtitles": "words", "duration": "1s", "in": "#12""##, ["frame-number"]),
        (#""text": "A", "duration": "1s", "in": "1s""#, ["contradiction"]),
        (#""subtitels": "words", "duration": "1s""#, ["missing-key", "unknown-key"]),
    ]

    @Test(arguments: wrongKeys) func wordsThatDoNotBelong(title: String, rules: [String]) {
        let read = EditReader.read(
            """
            { "schema": "edit/1", "assets": { "words": "words.srt", "c": "c" },
              "tracks": [ { "kind": "title", "segments": [ { \(title) } ] } ] }
            """
        )
        #expect(read.findings.filter { $0.severity == .error }.map(\.rule).sorted() == rules, "\(read.findings)")
    }

    @Test func theMachineIsAskedForWhatTheFileHasNot() throws {
        let text = """
            { "schema": "edit/1", "assets": { "words": "w" }, "tracks": [ { "kind": "title", "segments": [
              { "subtitles": "words", "duration": "1s", "language": "ja" } ] } ] }
            """
        guard case .edit(let edit) = EditReader.read(text).document else {
            Issue.record("the edit cannot be read")
            return
        }
        #expect(edit.fontDescriptors().isEmpty)
        let own = SubtitleFacts.Font(number: 0, faces: [SampleAsset.face("Arial", covers: [72, 1])])
        let carried = try #require(try Self.words(Self.ass, fonts: [own]).facts.subtitles)
        let rest = FontDescriptor(
            families: [],
            weight: 400,
            isItalic: false,
            language: "ja",
            text: "elo",
            isPlain: true
        )
        #expect(edit.fontDescriptors(subtitles: ["words": carried]).map(\.value) == [rest])
        let named = try #require(try Self.words(Self.ass).facts.subtitles)
        #expect(edit.fontDescriptors(subtitles: ["words": named]).map(\.value.families) == [["Arial"]])
    }
}
