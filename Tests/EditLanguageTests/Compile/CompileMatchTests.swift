import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

/// Which source an output of the preset `match` follows, and what it takes from it.
@Suite struct CompileMatchTests {
    private static func clip(_ name: String, _ seconds: Int, _ more: String = "") -> String {
        "{ \"asset\": \"\(name)\", \"in\": \"0s\", \"duration\": \"\(seconds)s\"\(more) }"
    }

    private func compiled(
        _ items: [String],
        _ assets: [String: CompilerAsset],
        output: String = #"{ "preset": "match" }"#,
        size: String = "[1280, 720]",
        options: CompileOptions = CompileOptions()
    ) throws -> Compiled {
        let text = editText(items, assets: assets.keys.sorted(), size: size, outputs: "[\(output)]")
        return try Compiled(text, assets, options)
    }

    private let two = ["a": SampleAsset.copyable("a"), "b": SampleAsset.copyable("b", form: 2, profile: 77)]

    /// The source of most copied frames, of equals the first one of the edit; the note says how to keep it.
    @Test(arguments: [(4, 6, "b"), (6, 4, "a"), (4, 4, "a")])
    func theSourceOfMostFramesIsFollowed(first: Int, second: Int, name: String) throws {
        let compiled = try compiled([Self.clip("a", first), Self.clip("b", second)], two)
        let output = try #require(compiled.composition?.outputs.first, "\(compiled.findings)")
        #expect(output.match == MatchedSource(asset: name, stream: 0))
        #expect(output.video?.copies == true && output.video?.profile == (name == "a" ? .high : .main))
        let note = try #require(compiled.findings.first { $0.rule == "implied-match" })
        #expect(note.severity == .note && note.pointer == "/outputs/0/preset")
        #expect(note.message.contains("follows \"\(name)\": H.264 \(name == "a" ? "High" : "Main") in MP4"))
        #expect(note.message.contains("\"match\": \"\(name)\""))
    }

    /// Only frames of the range count, and only untouched ones.
    @Test func touchedFramesDoNotCount() throws {
        let items = [Self.clip("a", 10, ", \"opacity\": 0.5"), Self.clip("b", 4)]
        #expect(try compiled(items, two).composition?.outputs[0].match?.asset == "b")
        let clips = [Self.clip("a", 10), Self.clip("b", 4)]
        #expect(try compiled(clips, two).composition?.outputs[0].match?.asset == "a")
        let ranged = try compiled(clips, two, output: #"{ "preset": "match", "range": ["9s", "5s"] }"#)
        #expect(ranged.composition?.outputs[0].match?.asset == "b")
    }

    @Test func aNamePinsTheSource() throws {
        let items = [Self.clip("a", 10), Self.clip("b", 4)]
        let written = try compiled(items, two, output: #"{ "preset": "match", "match": "b" }"#)
        #expect(written.composition?.outputs[0].match?.asset == "b", "\(written.findings)")
        #expect(!written.findings.contains { $0.rule == "implied-match" })
        for options in [CompileOptions(match: "b"), CompileOptions(preset: "match", match: "b")] {
            let asked = try compiled(items, two, output: #"{ "preset": "h264" }"#, options: options)
            #expect(asked.composition?.outputs.map(\.match?.asset) == ["b"], "\(asked.findings)")
        }
    }

    @Test(
        arguments: [
            (
                #"{ "preset": "match", "match": "camera2" }"#, "/outputs/0/match", "there is no asset \"camera2\"",
                "\"camera\""
            ),
            (#"{ "preset": "match", "match": "still" }"#, "/outputs/0/match", "its codec cannot be copied yet", nil),
            (
                #"{ "preset": "h264", "match": "camera" }"#, "/outputs/0/match", "and this output has \"h264\"",
                "\"preset\": \"match\""
            ),
            (#"{ "preset": "match", "match": "unused" }"#, "/outputs/0/match", "no track uses it", nil),
        ] as [(String, String, String, String?)]
    )
    func wrongNamesAreErrors(output: String, pointer: String, words: String, suggestion: String?) throws {
        let assets = [
            "camera": SampleAsset.copyable("camera"), "still": SampleAsset.minute("still"),
            "unused": SampleAsset.copyable("unused"),
        ]
        let found = try compiled([Self.clip("camera", 4), Self.clip("still", 2)], assets, output: output).errors
        #expect(found.map(\.rule) == ["match"] && found[0].pointer == pointer, "\(found)")
        #expect(found[0].message.contains(words) && found[0].suggestion == suggestion, "\(found)")
    }

    @Test func anotherPresetOfTheCommandLineFollowsNothing() throws {
        let options = CompileOptions(preset: "h264", match: "a")
        let errors = try compiled([Self.clip("a", 4)], two.filter { $0.key == "a" }, options: options).errors
        #expect(errors.map(\.rule) == ["match"] && errors[0].message.contains("this output has \"h264\""))
    }

    /// When nothing can be copied, the reasons are said, and what to do.
    @Test func nothingToFollowIsAnError() throws {
        let slow = SampleAsset.copyable("a") { $0.frameRate = try! FrameRate(24) }
        let one = try compiled([Self.clip("a", 4)], ["a": slow]).errors
        #expect(one.map(\.rule) == ["match"] && one[0].suggestion == "\"h264\"", "\(one)")
        #expect(one[0].message.contains("nothing can be copied: the source has another frame rate than the edit"))
        #expect(one[0].message.hasSuffix("; use another preset"))
        let asked = try compiled([Self.clip("a", 4)], ["a": slow], options: CompileOptions(preset: "match")).errors
        #expect(asked.map(\.suggestion) == [nil] && asked[0].message.hasSuffix("; use another preset: --preset h264"))
        let items = [Self.clip("a", 4), Self.clip("b", 2, ", \"opacity\": 0.5")]
        let more = try compiled(items, ["a": slow, "b": SampleAsset.copyable("b")]).errors
        #expect(more.first?.message.contains("100 frames: the source has another frame rate") == true, "\(more)")
        #expect(more.first?.message.contains("50 frames: the picture is placed") == true, "\(more)")
    }

    /// Portrait phones and anamorphic footage are followed as they are coded; the format stays the edit's.
    @Test func turnedAndStretchedPicturesAreFollowed() throws {
        let turned = SampleAsset.copyable("a") { $0.orientation = Orientation(degrees: 90, isMirrored: false) }
        let portrait = try compiled([Self.clip("a", 4)], ["a": turned], size: "[720, 1280]")
        let output = try #require(portrait.composition?.outputs.first, "\(portrait.findings)")
        #expect(output.size == PictureSize(width: 720, height: 1280))
        let size = PictureSize(width: 1280, height: 720)
        #expect(output.video?.raster == CodedRaster(size: size, degrees: 90, pixelAspect: RationalTime(whole: 1)))
        #expect(try portrait.plan().segments.reduce(0) { $0 + $1.task.copiedCount } == 100)
        let stitch = try portrait.plan().stitchTask()
        #expect(stitch.size == size && stitch.raster?.degrees == 90)
        let aspect = try RationalTime(4, 3)
        let wide = SampleAsset.copyable("a") { $0.pixelAspect = aspect }
        // 1706.7 pixels are 1707, which no frame has.
        let anamorphic = try compiled([Self.clip("a", 4)], ["a": wide], size: "[1708, 720]")
        #expect(anamorphic.composition?.outputs.first?.video?.raster?.pixelAspect == aspect)
        let mirrored = SampleAsset.copyable("a") { $0.orientation = Orientation(degrees: 0, isMirrored: true) }
        let refused = try compiled([Self.clip("a", 4)], ["a": mirrored]).errors
        #expect(refused.first?.message.contains("the source is mirrored") == true, "\(refused)")
    }

    /// Pictures of another raster or of a higher profile than the followed source's are encoded.
    @Test func otherSourcesAreCopiedWhereTheyFit() throws {
        let items = [Self.clip("a", 4), Self.clip("b", 2)]
        func reasons(_ name: String, _ assets: [String: CompilerAsset]) throws -> [String]? {
            let output = "{ \"preset\": \"match\", \"match\": \"\(name)\" }"
            return try compiled(items, assets, output: output).plan().encoded?.map(\.reason.rawValue)
        }
        #expect(try reasons("a", two) == [])
        #expect(try reasons("b", two) == ["format"])
        let turned = SampleAsset.copyable("b", form: 2) {
            $0.orientation = Orientation(degrees: 180, isMirrored: false)
        }
        let assets = ["a": SampleAsset.copyable("a"), "b": turned]
        #expect(try reasons("a", assets) == ["rotated"])
        #expect(try reasons("b", assets) == ["rotated"])
    }

    @Test(arguments: [
        ("mov,mp4,m4a,3gp,3g2,mj2", "isom" as String?, Container.mp4, AudioEncoding.Codec.aac),
        ("mov,mp4,m4a,3gp,3g2,mj2", "qt  ", .mov, .aac), ("matroska,webm", nil, .matroska, .pcm24),
        ("mpegts", nil, .mp4, .aac),
    ])
    func theContainerIsTheSources(
        container: String,
        brand: String?,
        made: Container,
        codec: AudioEncoding.Codec
    ) throws {
        let asset = SampleAsset.copyable("a", container: container, brand: brand)
        let output = try #require(try compiled([Self.clip("a", 4)], ["a": asset]).composition?.outputs.first)
        #expect(output.container == made && output.audio?.codec == codec && made.holds(codec))
        #expect(output.fileExtension == ["mp4": "mp4", "mov": "mov", "matroska": "mkv"][made.rawValue])
    }

    /// Frames are encoded as finely as the source's are coded; without a quantiser, as the preset `h264` does.
    @Test(
        arguments: [
            (25_432, 20_432, "quantiser 20.4"), (19_000, 16_000, "quantiser 16.0"), (13_000, 12_000, "quantiser 12.0"),
            (0, 1000, "quantiser 1.0"), (nil, 20_000, "CRF 20.0"),
        ] as [(Int?, Int, String)]
    )
    func theRateFactorIsThatOfTheSourcesQuantiser(quantiser: Int?, rateFactor: Int, words: String) throws {
        let asset = SampleAsset.copyable("a", quantiser: quantiser)
        let output = try #require(try compiled([Self.clip("a", 4)], ["a": asset]).composition?.outputs.first)
        #expect(output.video?.crfThousandths == rateFactor)
        #expect(output.video?.isSteady == (quantiser == nil ? nil : true))
        #expect(output.matchWords?.hasSuffix(words) == true, "\(output.matchWords ?? "")")
    }

    /// A composition is resolved: it is taken as it is.
    @Test func whatWasCompiledIsAcceptedAgain() throws {
        let items = [Self.clip("a", 4), Self.clip("b", 6)]
        let composition = try #require(try compiled(items, two).composition)
        let again = try Compiled(try ExplainPrinter.text(composition), two)
        #expect(again.composition == composition, "\(again.findings)")
        let other = try Compiled(try ExplainPrinter.text(composition), two, CompileOptions(match: "a"))
        #expect(other.composition?.outputs.map(\.match?.asset) == ["a"], "\(other.findings)")
    }

    /// What match would copy is known without it, and not said where another picture is made.
    @Test func theShareThatCouldBeCopiedIsKnown() throws {
        func share(_ output: String, _ options: CompileOptions = CompileOptions()) throws -> [Int64]? {
            let compiled = try compiled([Self.clip("a", 4), Self.clip("b", 6)], two, output: output, options: options)
            let composition = try #require(compiled.composition)
            let settings = composition.outputs[0]
            let share = try CopySurvey.copyable(of: settings, in: composition, facts: compiled.facts)
            // A plan that is asked for both says the same, and is the same.
            let (plan, survey) = try Planner.planWithSurvey(composition, output: 0, facts: compiled.facts)
            let surveyed = try survey?.copyable(of: settings)
            #expect(surveyed?.frames == share?.frames && surveyed?.of == share?.of)
            #expect(try plan == compiled.plan())
            return share.map { [$0.frames, $0.of] }
        }
        // The source of most frames is of profile Main: pictures of High do not fit it.
        #expect(try share(#"{ "preset": "h264" }"#) == [150, 250])
        #expect(try share(#"{ "preset": "h264", "range": ["0s", "4s"] }"#) == [100, 100])
        #expect(try share(#"{ "preset": "h264-480p" }"#) == nil)
        #expect(try share(#"{ "preset": "lossless" }"#) == nil)
        #expect(try share(#"{ "preset": "match" }"#) == nil)
        #expect(try share(#"{ "preset": "h264" }"#, CompileOptions(copies: true)) == nil)
    }
}
