import Testing

@testable import CompositionModel
@testable import EditLanguage

@Suite struct SpellingTests {
    static let distances: [(String, String, Int)] = [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 1),
        ("duration", "duratoin", 1),
        ("same", "same", 0), ("ca", "abc", 3),
    ]

    @Test(arguments: distances) func counts(first: String, second: String, distance: Int) {
        #expect(Spelling.distance(Array(first), Array(second)) == distance)
        #expect(Spelling.distance(Array(second), Array(first)) == distance)
    }

    @Test func findsTheNearestNameOrNone() {
        let known = ["asset", "in", "duration", "range", "at"]
        #expect(Spelling.nearest(to: "asett", in: known) == "asset")
        #expect(Spelling.nearest(to: "Duration", in: known) == "duration")
        #expect(Spelling.nearest(to: "en", in: known) == "in")
        #expect(Spelling.nearest(to: "colour", in: known) == nil)
        #expect(Spelling.nearest(to: "x", in: []) == nil)
    }

    /// What other programs call things is found before what is spelt alike.
    @Test(
        arguments: [
            ("rotation", ["duration", "rotate"], "rotate"), ("easing", ["at", "value", "ease"], "ease"),
            ("time", ["at", "value", "ease"], "at"), ("stretch", ["contain", "cover", "fill", "none"], "fill"),
            ("circle", ["rectangle", "ellipse"], "ellipse"), ("heavy", ["bold", "extrabold", "black"], "black"),
            ("oblique", ["normal", "italic"], "italic"), ("middle", ["center", "left"], "center"),
            ("eq", ["equalizer", "gate"], "equalizer"), ("low-cut", ["highPass", "lowPass"], "highPass"),
            ("denoise", ["delay", "noiseReduction"], "noiseReduction"), ("lufs", ["target", "truePeak"], "target"),
            ("sidechain", ["duck", "mute"], "duck"), ("beep", ["silence", "tone"], "tone"),
            ("gaussianBlur", ["blur", "sharpen"], "blur"), ("font-size", ["size", "style"], "size"),
        ] as [(String, [String], String)]
    )
    func findsWhatIsMeant(word: String, known: [String], meant: String) {
        #expect(Spelling.nearest(to: word, in: known) == meant)
        #expect(Spelling.nearest(to: word, in: ["zzzzzzzzzzzzzz"]) == nil)
    }

    @Test(arguments: [
        ("easeInOut", "inOutCubic"), ("ease-in", "inCubic"), ("easeOutQuad", "outQuad"), ("ease", "inOutSine"),
        ("inOutSin", "inOutSine"),
    ]) func easesOfOtherProgramsAreKnown(word: String, name: String) {
        #expect(EaseReader.nearestEase(to: word) == name)
    }

    @Test func aPercentIsSuggestedAsAFactor() {
        let text = SampleEdits.video(#"{ "asset": "a", "scale": "150%", "opacity": "12.5%" }"#)
        #expect(EditReader.read(text).findings.map(\.suggestion) == ["1.5", "0.125"])
    }

    /// Each of very many wrong names might be any of very many that are there: only for the first is one looked for.
    @Test func suggestionsHaveAnAllowance() {
        let assets = (0..<3000).map { #""asset\#($0)":"a.mp4""# }.joined(separator: ",")
        let segments = (0..<80).map { #"{"asset":"assett\#($0)","duration":"1s"}"# }.joined(separator: ",")
        let tracks = #"[{"kind":"video","segments":[\#(segments)]}]"#
        let text = #"{"schema":"edit/1","assets":{\#(assets)},"tracks":\#(tracks)}"#
        func suggestions() -> [Bool] {
            EditReader.read(text).findings.filter { $0.rule == FindingRule.unknownAsset.rawValue }
                .map { $0.suggestion != nil }
        }
        let first = suggestions()
        #expect(first == Array(repeating: true, count: 66) + Array(repeating: false, count: 14))
        // Each reading has an allowance of its own.
        #expect(suggestions() == first)
    }
}
