import CompositionModel
import EditLanguage
import Foundation
import Media
import Planning
import Rendering
import Testing

/// Subtitles in composited frames.
@Suite(.enabled(if: SubtitleEdit.hasFonts))
struct SubtitleTests {
    static let overlapping = """
        1
        00:00:00,200 --> 00:00:00,900
        First <i>of them</i>

        2
        00:00:00,500 --> 00:00:01,500
        Second, <font color="yellow">above</font>

        3
        00:00:01,501 --> 00:00:02,000
        <b>Third</b>
        """

    static let animated = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 320
        PlayResY: 180
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,24,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:00.00,0:00:01.50,Default,,0,0,0,,{\\k20}ka{\\kf30}ra{\\ko40}oke
        Dialogue: 1,0:00:00.20,0:00:01.20,Default,,0,0,0,,{\\t(\\frz40\\fscx150)}Turning {\\blur3\\c&H2040FF&}soft
        Dialogue: 0,0:00:00.40,0:00:02.00,Default,,0,0,0,,{\\fad(200,300)}Fades
        Dialogue: 0,0:00:00.60,0:00:01.80,Default,,0,0,0,,{\\move(10,10,300,90)\\p1}m 0 0 l 30 0 30 30 0 30{\\p0}
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,Banner;20,runs along
        """

    @Test(arguments: [overlapping, animated])
    func aFrameIsThatOfItsTimeAlone(file: String) throws {
        let edit = try SubtitleEdit(file)
        let whole = try edit.frames(segments: 1)
        #expect(whole.count == 50)
        #expect(Set(whole).count > 3)
        let compositor = try edit.compositor()
        let backward = try (0..<50).reversed().map { try compositor.picture(at: $0).digest() }
        #expect(backward.reversed() == whole)
        var numbers = Array(0..<50)
        for index in numbers.indices { numbers.swapAt(index, index * 31 % 50) }
        for number in numbers { #expect(try compositor.picture(at: Int64(number)).digest() == whole[number]) }
        // The first that a compositor is asked for.
        for number in [44, 30, 17, 13] {
            #expect(try edit.compositor().picture(at: Int64(number)).digest() == whole[number])
        }
        #expect(try edit.frames(segments: 2) == whole)
        #expect(try edit.frames(segments: 7) == whole)
    }

    /// At 30000/1001 frame n begins n × 1001/30000 s: a cue from 1.001 s on is first seen in frame 30.
    @Test func aCueIsSeenInFramesThatBeginWithinIt() throws {
        let cue = "1\n00:00:01,001 --> 00:00:01,502\nNow\n"
        let edit = try SubtitleEdit(cue, rate: "30000/1001", duration: "60f")
        let frames = try edit.frames(segments: 1)
        let seen = frames.indices.filter { frames[$0] != frames[0] }
        // Frame 45 begins at 1.5015 s, frame 46 at 1.5348 s.
        #expect(seen == Array(30...45))
        let moved = try SubtitleEdit(cue, rate: "30000/1001", duration: "60f", more: #", "in": "1.001s""#)
        let early = try moved.frames(segments: 1)
        #expect(early.indices.filter { early[$0] != early[59] } == Array(0...15))
        #expect(early[0] == frames[30])
    }

    /// What came first keeps its place; what came over it does too when that is over.
    @Test func anEventStaysWhereItBegan() throws {
        let compositor = try SubtitleEdit(Self.overlapping).compositor()
        let (both, second) = (try compositor.picture(at: 18), try compositor.picture(at: 30))
        #expect(top(both) == top(second))
        #expect(bottom(second) < bottom(both))
        // The third begins at the bottom again.
        #expect(bottom(try compositor.picture(at: 40)) > bottom(second))
    }

    @Test func halfTheSizeIsTheSamePicture() throws {
        let edit = try SubtitleEdit(Self.overlapping)
        let whole = try edit.compositor().picture(at: 18)
        let half = try edit.compositor(size: PictureSize(width: 160, height: 90)).picture(at: 18)
        #expect(abs(top(half) - top(whole) / 2) <= 1)
        #expect(abs(bottom(half) - bottom(whole) / 2) <= 1)
    }

    @Test func theStyleIsTheEdits() throws {
        let look =
            ##", "color": "#c03020", "outline": { "width": 0 }, "font": { "size": 60, "weight": "bold" }, "box": { "anchor": "topLeft", "margin": [8, 30] }"##
        let picture = try SubtitleEdit("1\n00:00:00,000 --> 00:00:01,000\nA\n", more: look).compositor().picture(at: 0)
        let luma = picture.samples(0)
        #expect(top(picture) >= 30 && top(picture) < 70)
        // Inside the letter, R 192, G 48, B 32 in BT.709.
        let light: Double = 0.2126 * 192 + 0.7152 * 48 + 0.0722 * 32
        let full = Int((16 + 219 * light / 255).rounded())
        #expect(luma.contains(UInt8(full)))
        #expect(luma.allSatisfy { $0 <= full + 1 })
        #expect((0..<180).allSatisfy { y in luma[y * 320..<y * 320 + 6].allSatisfy { $0 == 16 } })
    }

    @Test func scriptsHaveTheFontsThatTheyNeed() throws {
        let text = "1\n00:00:00,000 --> 00:00:01,000\nAV Ж שלום 漢字\n"
        let edit = try SubtitleEdit(text, fonts: [SubtitleEdit.font, SubtitleEdit.cjk])
        let one = try edit.compositor().picture(at: 0)
        let without = try SubtitleEdit("1\n00:00:00,000 --> 00:00:01,000\nAV Ж שלום\n").compositor().picture(at: 0)
        #expect(one.samples(0) != without.samples(0))
    }

    private func rows(_ picture: Picture) -> [Int] {
        let luma = picture.samples(0)
        return (0..<picture.height).filter { y in
            luma[y * picture.width..<(y + 1) * picture.width].contains { $0 > 50 }
        }
    }

    private func top(_ picture: Picture) -> Int { rows(picture).first ?? -1 }
    private func bottom(_ picture: Picture) -> Int { rows(picture).last ?? -1 }
}

/// Subtitles of two seconds over black, 320 × 180.
struct SubtitleEdit {
    static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    private static let bold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
    static let cjk = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
    static let hasFonts = [font, bold, cjk].allSatisfy(FileManager.default.fileExists)

    private let composition: Composition
    private let sources: [ContentDigest: RenderSource]
    private let facts: [ContentDigest: AssetFacts]

    init(
        _ file: String,
        rate: String = "25",
        duration: String = "2s",
        more: String = "",
        fonts: [String] = [font, bold]
    ) throws {
        let text = """
            { "schema": "edit/1", "assets": { "words": "words.srt" },
              "format": { "size": [320, 180], "frameRate": "\(rate)", "sampleRate": 48000, "channels": 2 },
              "tracks": [{ "kind": "title", "segments": [
                { "subtitles": "words", "duration": "\(duration)"\(more) } ] }],
              "outputs": [{ "preset": "lossless" }] }
            """
        var files: [(name: String, source: any ByteSource, bytes: [UInt8])] = []
        for path in fonts {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            files.append(("font:" + path, try FileByteSource(path: path), bytes))
        }
        files.append(("words", BytesSource(Data(file.utf8)), Array(file.utf8)))
        var assets: [String: CompilerAsset] = [:]
        var sources: [ContentDigest: RenderSource] = [:]
        for (name, source, bytes) in files {
            let digest = ContentDigest(of: bytes)
            let facts = try #require(try FontSource.facts(of: source) ?? SubtitleSource.facts(of: source))
            assets[name] = CompilerAsset(digest: digest, facts: facts)
            sources[digest] = RenderSource(bytes: source, facts: facts, indexes: [:])
        }
        let read = EditReader.read(text)
        let result = EditCompiler.compile(try #require(read.document, "\(read.findings)"), assets: assets)
        composition = try #require(result.composition, "\(result.findings)")
        self.sources = sources
        facts = sources.mapValues(\.facts)
    }

    private func compositor(_ task: PictureTask) throws -> Compositor {
        try Compositor(task: task, sources: task.assets.map { try #require(sources[$0]) })
    }

    private func tasks(_ count: Int, size: PictureSize? = nil) throws -> [PictureTask] {
        var composition = composition
        if let size { composition.outputs[0].size = size }
        return try Planner.plan(composition, output: 0, facts: facts, segmentCount: count).segments.map(\.task)
    }

    func compositor(size: PictureSize? = nil) throws -> Compositor { try compositor(tasks(1, size: size)[0]) }

    /// Digests of all frames, made in `segments` pieces.
    func frames(segments: Int) throws -> [ContentDigest] {
        try tasks(segments).flatMap { task in
            let compositor = try compositor(task)
            return try (0..<task.frameCount).map { try compositor.picture(at: $0).digest() }
        }
    }
}
