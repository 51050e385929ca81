import EditSamples
import Planning
import TestSupport
import Testing

@testable import CompositionModel
@testable import Timing

/// How large titles are drawn, what is too large, and what it takes to know that.
@Suite struct TitleSizeTests {
    private let assets = [
        "clip": SampleAsset.minute("clip"),
        "font:regular": SampleAsset.font("regular", SampleAsset.face("Noto Sans")),
    ]

    private func compiled(
        _ titles: String,
        clips: [String] = [#"{ "asset": "clip", "duration": "10s" }"#]
    ) throws -> Compiled {
        let text = """
            { "schema": "edit/1", "format": { "size": [1000, 500], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "clip": "clip.mp4" },
              "tracks": [ { "kind": "video", "segments": [ \(clips.joined(separator: ", ")) ] },
                { "kind": "title", "segments": [ \(titles) ] } ], "outputs": [{ "preset": "h264" }] }
            """
        return try Compiled(text, assets)
    }

    private func title(_ letters: Int, _ keys: String) -> String {
        "{ \"text\": \"\(String(repeating: "A", count: letters))\", \"duration\": \"1s\", \(keys) }"
    }

    /// No number of a file is trusted.
    @Test func numbersOutOfRangeAreFindings() throws {
        let plain = try #require(
            try compiled(
                ##"{ "text": "A\nB", "duration": "1s", "box": { "background": "#000000" }, "outline": { "width": 1 }, "shadow": {} }"##
            ).composition
        )
        let fields: [(inout TitleText, Int64) -> Void] = [
            { $0.size = $1 }, { $0.lineSpacing = $1 }, { $0.letterSpacing = $1 }, { $0.box.width = $1 },
            { $0.box.marginX = $1 }, { $0.box.background?.paddingX = $1 }, { $0.box.background?.paddingY = $1 },
            { $0.outline?.width = $1 }, { $0.shadow?.x = $1 }, { $0.shadow?.y = $1 }, { $0.shadow?.blur = $1 },
        ]
        let numbers: [Int64] = [.min, -1, 0, 1_000_000, 16_384_000_000, 9_000_000_000_000_000, .max]
        for (index, first) in fields.enumerated() {
            for second in fields[(index + 1)...] {
                for number in numbers {
                    for other in numbers {
                        var text = try #require(plain.titleTracks?[0].segments[0].layers[0].text)
                        first(&text, number)
                        second(&text, other)
                        // Even when nobody has looked at the numbers.
                        #expect(text.sizeProblem(blur: 0)?.isEmpty != true)
                        var composition = plain
                        composition.titleTracks?[0].segments[0].layers[0].text = text
                        let rules = Set(composition.findings().map(\.rule))
                        #expect(rules.isSubset(of: ["title", "text-too-large"]))
                        if [number, other].contains(where: { $0.magnitude > 1 << 40 }) { #expect(rules == ["title"]) }
                    }
                }
            }
        }
        // No room at all: not a number of lines, of a height that is not a number.
        var text = TitleText(text: "A", faces: [], size: 0, letterSpacing: 1_000_000)
        text.box.width = 0
        #expect(text.sizeProblem() != nil)
    }

    /// What outline, shadow and blur take beside the letters.
    @Test(arguments: [
        (5000, #""font": { "size": 60 }"#, true), (5000, #""font": { "size": 60 }, "shadow": { "blur": 4 }"#, true),
        (5000, #""font": { "size": 60 }, "shadow": { "blur": 120 }"#, false),
        (5000, #""font": { "size": 60 }, "shadow": { "offset": [0, 900], "blur": 0 }"#, false),
        (5000, #""font": { "size": 60 }, "outline": { "width": 300 }"#, false),
        (12_000, #""font": { "size": 65 }"#, true),
        (12_000, #""font": { "size": 65 }, "effects": [{ "effect": "blur", "radius": 8 }]"#, true),
        (12_000, #""font": { "size": 65 }, "effects": [{ "effect": "blur", "radius": 100 }]"#, false),
        (
            12_000,
            #""font": { "size": 65 }, "effects": [{ "effect": "blur", "radius": [{ "at": "0s", "value": 0 }, { "at": "1s", "value": 90 }] }]"#,
            false
        ),
    ]) func whatReachesOutOfTheLettersCounts(letters: Int, keys: String, isGood: Bool) throws {
        let compiled = try compiled(title(letters, keys))
        #expect(compiled.errors.map(\.rule) == (isGood ? [] : ["text-too-large"]))
        #expect(compiled.errors.allSatisfy { $0.pointer == "/tracks/1/segments/0/text" && $0.line > 0 })
        // A layer of layers is looked at as well.
        let layer = title(letters, keys).replacing(#""duration": "1s""#, with: #""layer": "text""#)
        let group = try self.compiled("{ \"duration\": \"1s\", \"layers\": [\(layer)] }")
        #expect(group.errors.map(\.rule) == (isGood ? [] : ["text-too-large"]))
    }

    @Test func aCompositionsBlurCounts() throws {
        var composition = try #require(try compiled(title(12_000, #""font": { "size": 65 }"#)).composition)
        #expect(composition.findings().isEmpty)
        var appearance = LayerAppearance()
        appearance.effects = [PictureEffect(.blur, [.radius: AnimatedProperty(constant: [100_000_000])])]
        composition.titleTracks?[0].segments[0].layers[0].appearance = appearance
        let found = composition.findings()
        #expect(found.map(\.rule) == ["text-too-large"])
        #expect(found.map(\.pointer) == ["/titleTracks/0/segments/0/layers/0/text"])
    }

    /// A group that is cut or changed is drawn at the frame's size: letters of more pixels would be shrunk again.
    @Test(
        arguments: [
            ("", 4), (#""effects": [{ "effect": "blur", "radius": 3 }],"#, nil), (#""crop": [1, 2, 3, 4],"#, nil),
            (#""opacity": 0.5,"#, 4),
        ] as [(String, Int?)]
    ) func lettersOfAGroupThatIsAPictureAreDrawnAtItsSize(keys: String, detail: Int?) throws {
        let group = #"{ "layer": "group", "scale": 4, \#(keys) "layers": [{ "layer": "text", "text": "A" }] }"#
        let plan = try compiled(#"{ "duration": "10s", "layers": [\#(group)] }"#).plan(segmentCount: 1)
        let layers = try #require(plan.segments[0].task.instructions[0].layers.last?.title?.layers)
        #expect(layers[0].group?[0].detail == detail)
    }

    /// A text that is scaled up is drawn less fine where its blur's room would be too large a picture.
    @Test(arguments: [(0, 4), (8, 4), (100, 2)]) func aBlurMakesLettersLessFine(radius: Int, detail: Int) throws {
        let effects = radius > 0 ? #""effects": [{ "effect": "blur", "radius": \#(radius) }]"# : #""x-no": 1"#
        let plan = try compiled(title(1000, #""font": { "size": 60 }, "scale": 4, \#(effects)"#)).plan(segmentCount: 1)
        #expect(plan.segments[0].task.instructions[0].layers.last?.title?.layers[0].detail == detail)
    }

    /// What a title needs is worked out once, not for each cut below it.
    @Test func manyCutsUnderManyKeysArePlannedSoon() throws {
        let clips = (0..<1000).map { "{ \"asset\": \"clip\", \"in\": \"\($0 % 2 * 10)s\", \"duration\": \"1f\" }" }
        let keys = (0..<3000).map { "{ \"at\": \"\($0)f\", \"value\": 1.\($0 % 9), \"ease\": \"outElastic\" }" }
        let list = keys.joined(separator: ", ")
        let title = #"{ "text": "A", "duration": "1000f", "scale": [\#(list)] }"#
        let plan = try compiled(title, clips: clips).plan()
        let runs = plan.segments.map(\.task.instructions.count).reduce(0, +)
        #expect(runs >= 1000)
        #expect(plan.segments[0].task.instructions[0].layers.last?.title?.layers[0].detail == 2)
    }

    /// The reach of an ease has all of its values.
    @Test func reachesOfEasesHold() throws {
        var numbers = SplitMix(seed: 5)
        let beziers = (0..<200).map { _ in
            let ends = (0..<2).map { _ in Int64.random(in: 0...1_000_000, using: &numbers) }
            let heights = (0..<2).map { _ in Int64.random(in: -3_000_000...3_000_000, using: &numbers) }
            return CubicBezier(ends[0], heights[0], ends[1], heights[1])
        }
        // Where the square's factor, or the line's, is 0.
        let even = [
            CubicBezier(0, 333_333, 1_000_000, 666_666), CubicBezier(0, 0, 0, 0), CubicBezier(0, 1_000_000, 0, 0),
        ]
        for ease in Easing.named + (beziers + even).compactMap({ $0.map(Easing.bezier) }) {
            let values = (0...500).map { ease.value(at: Double($0) / 500) }
            let (least, most) = (try #require(values.min()), try #require(values.max()))
            if case .bezier = ease {
                #expect(ease.reach.lowerBound <= least + 1e-9 && ease.reach.upperBound >= most - 1e-9, "\(ease)")
            } else {
                #expect(abs(ease.reach.lowerBound - least) < 0.02 && abs(ease.reach.upperBound - most) < 0.02)
            }
        }
    }
}
