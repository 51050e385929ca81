import Testing

@testable import CompositionModel

/// Subtitle files as they are read: what they say, and what is wrong with them.
@Suite struct SubtitleScriptTests {
    private func cues(_ text: String) throws -> [SubtitleCue] {
        guard case .cues(let cues) = try SubtitleScript(Array(text.utf8)).content else { return [] }
        return cues
    }

    @Test func subRipIsReadWithItsTags() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:02,500
            Hello, <i>world</i>!
            Second {line}

            2
            00:01:00.5 --> 00:01:02,250 X1:10 X2:20
            {\\an8}<font color="#ff8000" face="Noto Serif">A <b>B</b></font> C\\D 1 < 2

            blank above
            """
        let cues = try cues(text)
        #expect(cues.map(\.start) == [1000, 60_500])
        #expect(cues.map(\.end) == [2500, 62_250])
        #expect(cues[0].text == "Hello, {\\i1}world{\\i}!\\NSecond \\{line\\}")
        let font = "{\\c&H0080FF&}{\\fnNoto Serif}A {\\b1}B{\\b}{\\c}{\\fn} C\\\u{2060}D 1 < 2"
        #expect(cues[1].text == "{\\an8}" + font + "\\N\\Nblank above")
        #expect(cues.map(\.line) == [2, 7])
    }

    @Test(arguments: [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]])
    func lineEndsAndByteOrderMarksMakeNoDifference(mark: [UInt8]) throws {
        let text = "1\n00:00:01,000 --> 00:00:02,000\nÄ\nB\n\n2\n00:00:03,000 --> 00:00:04,000\nC\n"
        let plain = try SubtitleScript(Array(text.utf8))
        #expect(try SubtitleScript(mark + Array(text.replacing("\n", with: "\r\n").utf8)) == plain)
        #expect(try SubtitleScript(mark + Array(text.replacing("\n", with: "\r").utf8)) == plain)
        let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        #expect(try SubtitleScript([0xFF, 0xFE] + little) == plain)
        let big = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        #expect(try SubtitleScript([0xFE, 0xFF] + big) == plain)
    }

    @Test(arguments: [("12.5", 125_000), ("12.05", 120_500), ("7", 70_000), ("99.9999", 999_999)] as [(String, Int64)])
    func percentagesHaveDecimals(text: String, millionths: Int64) {
        #expect(CuePlace(settings: "position:\(text)% align:left")?.left == millionths)
    }

    @Test func webVTTIsReadWithItsSettings() throws {
        let text = """
            WEBVTT - made by hand
            Kind: captions

            NOTE a comment
            --> of two lines

            STYLE
            ::cue { color: red }

            first
            00:01.000 --> 00:02.000 line:10% position:20% align:start size:50%
            <v Ann>Hi <c.loud>there</c> &amp; <ruby>漢<rt>kan</rt></ruby><00:01.500> &lt;b&gt;

            01:00:00.000 --> 01:00:01.000 line:-1
            <b>Bold</b>
            """
        let cues = try cues(text)
        #expect(cues.count == 2)
        #expect(cues[0].text == "Hi there & 漢 <b>")
        let place = try #require(cues[0].place)
        #expect(place.side == .left)
        #expect((place.left, place.right) == (200_000, 700_000))
        #expect(place.line == .height(100_000))
        #expect(cues[1].place?.line == .number(-1))
        #expect(cues[1].start == 3_600_000)
        #expect(cues[1].text == "{\\b1}Bold{\\b}")
    }

    static let ass = """
        [Script Info]
        PlayResX: 640

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, Bold, Italic
        Style: Default,Noto Sans,20,0,0
        Style: Sign,Noto Serif,20,-1,1

        [Fonts]
        fontname: a.ttf
        !!!!!!!!

        [Events]
        Format: Layer, Start, End, Style, Text
        Dialogue: 0,0:00:01.00,0:00:02.05,Default,{\\fnDejaVu Sans\\b1}AB{\\r}c,\\hd{\\p1}m 0 0 l 9 9{\\p0}
        Dialogue: 0,0:00:00.00,0:00:01.00,*Sign,Z{\\i0\\t(\\b0)}Y
        Comment: 0,9:99:99.99,x,y,z
        """

    @Test func assTellsItsFontsAndTimes() throws {
        let script = try SubtitleScript(Array(Self.ass.utf8))
        #expect(script.format == .ass)
        #expect(script.end == 2050)
        #expect(script.fonts == [[0, 0, 0, 0, 0, 0]])
        #expect(
            script.uses == [
                SubtitleFontUse(family: "DejaVu Sans", weight: 700, isItalic: false, text: "AB"),
                SubtitleFontUse(family: "Noto Sans", weight: 400, isItalic: false, text: ",cd\u{A0}"),
                SubtitleFontUse(family: "Noto Serif", weight: 400, isItalic: false, text: "Y"),
                SubtitleFontUse(family: "Noto Serif", weight: 700, isItalic: true, text: "Z"),
            ]
        )
    }

    static let wrong: [(String, Int?, String)] = [
        ("", nil, "empty"),
        ("Just words\nand more", nil, "neither SubRip nor WebVTT nor ASS"),
        ("WEBVTT\n\nNOTE nothing\n", nil, "no cue"),
        ("1\n00:00:02,000 --> 00:00:01,000\nA\n", 2, "ends at 00:00:01,000, before it begins"),
        ("1\n-00:00:02,000 --> 00:00:01,000\nA\n", 2, "negative"),
        ("1\n00:00:02,000 --> 00:00:61,000\nA\n", 2, "more than 59"),
        ("1\n00:00:02,000 --> 00:00:60,000\nA\n", 2, "more than 59"),
        ("1\n00:00:02,000 --> 00:60:00,000\nA\n", 2, "more than 59"),
        ("1\n00:00:01,000 --> 00:00:02,000\nA\n\n2\n00:00:03 -> 00:00:04,000\nB\n", 6, "no pair of times"),
        ("1\n00:00:01,000 --> later\nA\n", 2, "no time like"),
        ("garbage\n\n1\n00:00:01,000 --> 00:00:02,000\nA\n", 1, "no pair of times"),
        ("1\n00:00:01,000 --> 00:00:02,000\nA\u{0}B\n", 3, "control character"),
        ("WEBVTT\n\nwhat\nis this\n", 4, "no pair of times"),
        ("[Script Info]\n\n[Events]\nDialogue: 0,0:00:02.00,0:00:01.00,D,,0,0,0,,A\n", 4, "before it begins"),
        ("[Script Info]\n\n[Events]\nDialogue: 0,0:00:02.00\n", 4, "2 of the 10 fields"),
        ("[Script Info]\nTitle: none\n", nil, "no cue"),
    ]

    @Test(arguments: wrong) func whatIsWrongIsSaidWithItsLine(text: String, line: Int?, words: String) throws {
        let problem = #expect(throws: SubtitleProblem.self) { try SubtitleScript(Array(text.utf8)) }
        #expect(problem?.line == line)
        #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "")")
    }

    @Test func anotherEncodingIsSaid() throws {
        let latin: [UInt8] = Array("1\n00:00:01,000 --> 00:00:02,000\nGr".utf8) + [0xFC, 0xDF, 0x65]
        let problem = #expect(throws: SubtitleProblem.self) { try SubtitleScript(latin) }
        #expect(problem?.line == 3)
        #expect(problem?.failure.message == "line 3: the text is neither UTF-8 nor UTF-16; save it as UTF-8.")
        #expect(SubtitleScript.looksLikeSubtitles(latin))
        #expect(throws: SubtitleProblem.self) { try SubtitleScript([0xFF, 0xFE, 0x31]) }
        #expect(throws: SubtitleProblem.self) { try SubtitleScript([0xFF, 0xFE, 0x00, 0xD8, 0x31, 0x00]) }
    }

    @Test func otherFilesDoNotLookLikeSubtitles() {
        #expect(!SubtitleScript.looksLikeSubtitles(Array("<html><!-- 1 --></html>".utf8)))
        #expect(!SubtitleScript.looksLikeSubtitles([0, 0, 0, 32] + Array("ftypisom".utf8)))
        #expect(!SubtitleScript.looksLikeSubtitles([]))
        #expect(!SubtitleScript.looksLikeSubtitles(Array("LUT_3D_SIZE 2\n0 0 0\n".utf8)))
    }

    /// Movies hold a line that begins with a digit and has an arrow sooner or later: a thousand heads of noise, each
    /// with one.
    @Test func compressedPicturesDoNotLookLikeSubtitles() {
        var generator = SeededNumbers(seed: 11)
        for _ in 0..<1000 {
            var head = (0..<2048).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            head.replaceSubrange(1024..<1030, with: Array("\n7->x\n".utf8))
            #expect(!SubtitleScript.looksLikeSubtitles(head))
        }
        // A text with one damaged byte is still one, and is told so.
        let text = Array(("1\n00:00:01,000 --> 00:00:02,000\n" + String(repeating: "words ", count: 20)).utf8)
        #expect(SubtitleScript.looksLikeSubtitles(text + [0x01]))
    }

    /// Any bytes are read or refused, and nothing else happens; whatever is read has times in order.
    @Test(arguments: 0..<6) func anyBytesAreReadOrRefused(seed: UInt64) {
        var generator = SeededNumbers(seed: seed)
        let seeds = [
            "1\n00:00:01,000 --> 00:00:02,500\n<font color=red>Hi</font> {\\an8}\n\n2\n00:00:03,000 --> 00:00:04,000\nA",
            "WEBVTT\n\n00:01.000 --> 00:02.000 line:10%,end position:20%,center align:start\n<v A>&#65;&lt;<rt>x</rt>",
            Self.ass,
        ]
        for round in 0..<400 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(
                        contentsOf: Array("<>{}\\:-,.%&;\n\"=".utf8).shuffled(using: &generator).prefix(2),
                        at: place
                    )
                default: bytes.insert(contentsOf: bytes[..<place].suffix(20), at: place)
                }
                if bytes.isEmpty { bytes = [0x31] }
            }
            guard let script = try? SubtitleScript(bytes) else { continue }
            #expect(script.cueCount > 0)
            if case .cues(let cues) = script.content {
                #expect(cues.allSatisfy { 0 <= $0.start && $0.start <= $0.end && $0.end <= script.end })
            }
        }
    }
}

private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
    }
}
