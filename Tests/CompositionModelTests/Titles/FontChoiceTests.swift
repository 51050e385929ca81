import EditSamples
import Testing

@testable import CompositionModel

@Suite struct FontChoiceTests {
    private typealias Choice = FontChoice<String>

    private static let latin = [32, 95]
    private static let faces: [(String, FontFaceFacts)] = [
        ("mono", mono), ("regular", SampleAsset.face("Noto Sans", 400, covers: latin)),
        ("bold", SampleAsset.face("Noto Sans", 700, covers: latin)),
        ("italic", SampleAsset.face("Noto Sans", 400, covers: latin, isItalic: true)),
        ("arabic", SampleAsset.face("Noto Sans Arabic", 400, covers: [0x600, 256])),
        ("arabic bold", SampleAsset.face("Noto Sans Arabic", 700, covers: [0x600, 256])),
        ("serif arabic", SampleAsset.face("Amiri", 400, covers: [32, 95, 0x600, 256])),
        ("japanese", SampleAsset.face("Noto Sans CJK JP", 400, covers: [32, 95, 0x4E00, 20_000])),
        ("chinese", SampleAsset.face("Noto Sans CJK SC", 400, covers: [32, 95, 0x4E00, 20_000])),
        ("emoji", SampleAsset.face("Noto Color Emoji", 400, covers: [0x30, 10, 0x1F600, 80], isColor: true)),
        ("symbols", SampleAsset.face("Symbola", 400, covers: [0x2700, 16, 0x1F600, 80])),
    ]

    private static var mono: FontFaceFacts {
        var face = SampleAsset.face("Noto Sans Mono", 400, covers: latin)
        face.isMonospaced = true
        return face
    }

    private func choice(
        _ text: String,
        family: String = "Noto Sans",
        weight: Int = 400,
        italic: Bool = false,
        language: String? = nil
    ) -> Choice {
        let descriptor = FontDescriptor(
            families: [family],
            weight: weight,
            isItalic: italic,
            language: language,
            text: text
        )
        return Choice(descriptor, among: Self.faces.map { Choice.Candidate(place: $0.0, facts: $0.1) })
    }

    /// The nearest weight; upright before light or bold.
    @Test(arguments: [
        (400, false, "regular"), (700, false, "bold"), (300, false, "regular"), (900, false, "bold"),
        (600, false, "bold"), (500, false, "regular"), (400, true, "italic"), (700, true, "italic"),
    ])
    func theNearestFaceOfTheFamily(weight: Int, italic: Bool, expected: String) {
        #expect(choice("Ab", weight: weight, italic: italic).faces == [expected])
    }

    @Test func namesAreFoundInAnyCaseAndOnlyWhole() {
        #expect(choice("Ab", family: "NOTO SANS").faces == ["regular"])
        #expect(choice("Ab", family: "Noto").faces.isEmpty)
    }

    /// What helps out is of the same family by its name, as bold, as the language has it.
    @Test(arguments: [
        ("Ab ع", 400, nil, ["regular", "arabic"]), ("Ab ع", 700, nil, ["bold", "arabic bold"]),
        ("漢", 400, "zh-Hans", ["regular", "chinese"]), ("漢", 400, "ja", ["regular", "japanese"]),
        ("漢", 400, nil, ["regular", "japanese"]), ("ع漢", 400, nil, ["regular", "arabic", "japanese"]),
    ])
    func othersHelpOut(text: String, weight: Int, language: String?, expected: [String]) {
        let choice = choice(text, weight: weight, language: language)
        #expect(choice.faces == expected)
        #expect(choice.missing.isEmpty)
    }

    @Test func emojiAreDrawnInColoursAndDigitsAreNot() {
        #expect(choice("1 😀").faces == ["regular", "emoji"])
        #expect(choice("✁").faces == ["regular", "symbols"])
    }

    @Test func whatNoFaceHasIsMissing() {
        let choice = choice("A\u{200D}\u{FE0F}\n\t ж漢\u{E000}")
        #expect(choice.missing == ["ж", "\u{E000}"])
    }

    @Test func coverageIsRanges() {
        let face = SampleAsset.face("", covers: [10, 2, 20, 1, 30, 5])
        let covered = (0..<50).filter { face.covers(Unicode.Scalar($0)!) }
        #expect(covered == [10, 11, 20, 30, 31, 32, 33, 34])
    }
}
