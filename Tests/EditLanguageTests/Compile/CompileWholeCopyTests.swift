import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

/// Outputs of the preset `match` whose codec is only copied: what they take from their source, and the error that lists
/// what would have to be encoded.
@Suite struct CompileWholeCopyTests {
    /// A minute of pictures that are coded by themselves.
    private static func intra(
        _ name: String,
        codec: String = "prores",
        form: UInt8 = 1,
        change: (inout VideoStreamFacts) -> Void = { _ in }
    ) -> CompilerAsset {
        SampleAsset.copyable(name, form: form, brand: "qt  ") { stream in
            stream.codec = codec
            stream.profile = "HQ"
            stream.copy?.stretches[0].entries = FrameSet(0..<1500)
            stream.copy?.stretches[0].ends = FrameSet(1...1500)
            change(&stream)
        }
    }

    private func compiled(
        _ items: [String],
        _ assets: [String: CompilerAsset],
        output: String = #"{ "preset": "match" }"#
    ) throws -> Compiled {
        try Compiled(editText(items, assets: assets.keys.sorted(), size: "[1280, 720]", outputs: "[\(output)]"), assets)
    }

    private func clip(_ name: String, _ start: Int, _ count: Int, _ more: String = "") -> String {
        "{ \"asset\": \"\(name)\", \"in\": \"\(start)f\", \"duration\": \"\(count)f\"\(more) }"
    }

    /// Codec, container and colour are the source's, whatever colour edits have.
    @Test func theOutputIsAsItsSource() throws {
        let hdr = ColorDescription(matrix: "bt2020nc", isFullRange: false, primaries: "bt2020", transfer: "smpte2084")
        let asset = Self.intra("a") { $0.color = hdr }
        let compiled = try compiled([clip("a", 13, 5), clip("a", 700, 1), clip("a", 3, 90)], ["a": asset])
        let output = try #require(compiled.composition?.outputs.first, "\(compiled.findings)")
        #expect(output.container == .mov && output.video?.codec == .prores && output.video?.color == hdr)
        let note = try #require(compiled.findings.first { $0.rule == "implied-match" })
        #expect(note.message.contains("follows \"a\": ProRes HQ in QuickTime, every frame copied"), "\(note.message)")
        for count in [1, 2, 5] {
            let plan = try compiled.plan(segmentCount: count)
            #expect(plan.encoded == [] && plan.segments.reduce(0) { $0 + $1.task.copiedCount } == 96)
            #expect(plan.segments.allSatisfy { $0.task.color == hdr && $0.task.copiedCount == $0.task.frameCount })
        }
    }

    /// The error names each range with its reason, its timecodes and its frames.
    @Test func whatCannotBeCopiedIsListed() throws {
        let items = [
            clip("a", 0, 25), #"{ "gap": "10f" }"#, clip("a", 0, 25, ", \"opacity\": 0.5"), clip("a", 9, 1),
            clip("a", 0, 2, ", \"speed\": 2"),
        ]
        let compiled = try compiled(items, ["a": Self.intra("a")])
        let error = try #require(compiled.errors.first)
        #expect(compiled.errors.count == 1 && error.rule == "match" && error.pointer == "/outputs/0/preset")
        #expect(
            error.message
                == "\"a\" cannot be followed: ProRes HQ is copied and not encoded, and 37 frames cannot be copied "
                + "(00:00:01:00 to 00:00:01:09, frames 25 to 34: nothing is shown; "
                + "00:00:01:10 to 00:00:02:09, frames 35 to 59: the picture is placed, cropped, faded or has an effect; "
                + "00:00:02:11 to 00:00:02:12, frames 61 to 62: the clip plays at another speed); "
                + "show nothing else, or use another preset, such as \"h264\""
        )
    }

    /// Of many ranges ten are named, and the others counted.
    @Test func aLongListIsCut() throws {
        let items = (0..<13).flatMap { [clip("a", $0, 3), clip("a", 0, 2, ", \"opacity\": 0.5")] }
        let error = try #require(try compiled(items, ["a": Self.intra("a")]).errors.first)
        #expect(error.message.contains("and 26 frames cannot be copied (00:00:00:03 to 00:00:00:04, frames 3 to 4: "))
        #expect(
            error.message.contains(
                "frames 48 to 49: the picture is placed, cropped, faded or has an effect; and 3 more ranges);"
            )
        )
    }

    /// Frames of another codec, of another form and of another colour are none of a track of copied pictures.
    @Test(arguments: [
        ("h264", 1, "bt709", "the source has another codec than the output"),
        ("prores", 2, "bt709", "the source has a profile, chroma format or depth that the output does not have"),
        ("prores", 1, "smpte170m", "the source has another colour than the output (smpte170m)"),
    ])
    func sourcesAreAllAlike(codec: String, form: UInt8, matrix: String, reason: String) throws {
        let other = Self.intra("b", codec: codec, form: form) { $0.color.matrix = matrix }
        let compiled = try compiled([clip("a", 0, 100), clip("b", 0, 50)], ["a": Self.intra("a"), "b": other])
        let error = try #require(compiled.errors.first, "\(compiled.findings)")
        #expect(
            error.message.contains(
                "50 frames cannot be copied (00:00:04:00 to 00:00:05:24, frames 100 to 149: \(reason))"
            )
        )
    }

    /// Beside H.264, footage of such a codec is encoded where the H.264 is followed.
    @Test func theOtherSourceMayBeFollowed() throws {
        let assets = ["a": Self.intra("a"), "b": SampleAsset.copyable("b")]
        let compiled = try compiled(
            [clip("a", 0, 100), clip("b", 0, 50)],
            assets,
            output: #"{ "preset": "match", "match": "b" }"#
        )
        let plan = try compiled.plan(segmentCount: 1)
        #expect(
            plan.output.video?.codec == .h264 && plan.encoded?.map(\.reason.rawValue) == ["codec"],
            "\(compiled.findings)"
        )
    }

    /// HEVC is copied from one key picture to the next, and less than twelve frames too.
    @Test func groupsAreCopiedWhole() throws {
        func hevc(_ name: String) -> CompilerAsset {
            Self.intra(name, codec: "hevc") { stream in
                stream.copy?.stretches[0].entries = FrameSet(stride(from: 0, to: 1500, by: 50))
            }
        }
        let good = try compiled([clip("a", 50, 1), clip("a", 100, 7)], ["a": hevc("a")])
        #expect(try good.plan(segmentCount: 2).segments.map(\.task.copiedCount).reduce(0, +) == 8, "\(good.findings)")
        let bad = try compiled([clip("a", 50, 1), clip("a", 99, 7)], ["a": hevc("a")])
        let error = try #require(bad.errors.first)
        #expect(
            error.message.contains(
                "1 frame cannot be copied (00:00:00:01, frame 1: beside what can be copied, which begins with a key "
                    + "picture and has 12 frames or more); move the cuts so that these are not shown, or use another preset"
            )
        )
    }

    /// HEVC of the profile Main is encoded beside its copies. Of more bits or samples of chroma, and of another colour, HEVC
    /// and H.264 are copied where every frame is, and else refused.
    @Test(arguments: [
        ("hevc", 1, 1, 8, true), ("hevc", 2, 1, 10, false), ("hevc", 4, 2, 8, false), ("h264", 100, 1, 8, true),
        ("h264", 110, 1, 10, false), ("h264", 122, 2, 8, false), ("h264", 244, 3, 8, false), ("h264", 244, 1, 8, false),
    ])
    func whatIsEncodedBesideCopies(codec: String, profile: Int, chroma: Int, bits: Int, isEncoded: Bool) throws {
        let asset = SampleAsset.copyable("a", profile: profile, quantiser: 25_000) { stream in
            stream.codec = codec
            stream.copy?.forms[0].chromaFormat = chroma
            stream.copy?.forms[0].bits = bits
        }
        let whole = try compiled([clip("a", 50, 100), clip("a", 50, 1)], ["a": asset])
        let cut = try compiled([clip("a", 37, 100)], ["a": asset])
        guard isEncoded else {
            let video = try #require(whole.composition?.outputs.first?.video, "\(whole.findings)")
            #expect(video.codec.rawValue == codec && video.isCopyOnly && video.speed == nil)
            // The sample says the profile High in words whatever its number is.
            let name = codec == "hevc" ? "HEVC High" : "H.264 High"
            let words = "\"a\" cannot be followed: \(name) is copied and not encoded, and 13 frames cannot"
            #expect(cut.errors.map { $0.message.hasPrefix(words) } == [true], "\(cut.errors)")
            return
        }
        let video = try #require(cut.composition?.outputs.first?.video, "\(cut.findings)")
        #expect(video.codec.rawValue == codec && !video.isCopyOnly && video.isSteady == true)
        #expect(video.crfThousandths == (codec == "hevc" ? 16_500 : 20_000))
        #expect(try cut.plan().encoded?.map(\.reason.rawValue) == ["border"])
        // A few frames are encoded with their neighbours.
        #expect(try whole.plan().encoded?.map(\.frames) == [1])
    }

    /// H.264 of another colour than an edit's, such as a small picture that says none, is copied where every frame is. Else
    /// another source is followed, and where there is none, the error names the colour.
    @Test func anotherColourIsCopiedWhole() throws {
        let small = SampleAsset.copyable("a") { ($0.color.matrix, $0.isColorGuessed) = ("smpte170m", true) }
        let whole = try compiled([clip("a", 50, 100), clip("a", 300, 50)], ["a": small])
        let output = try #require(whole.composition?.outputs.first, "\(whole.findings)")
        #expect(output.video?.isCopyOnly == true && output.video?.color?.matrix == "smpte170m")
        #expect(output.match?.coding == "H.264 High (colour smpte170m, guessed)")
        #expect(try whole.plan().encoded == [])
        let cut = try compiled([clip("a", 37, 100)], ["a": small])
        let words = "H.264 High (colour smpte170m, guessed) is copied and not encoded, and 13 frames cannot be copied"
        #expect(cut.errors.map { $0.message.contains(words) } == [true], "\(cut.errors)")
        let assets = ["a": small, "b": SampleAsset.copyable("b")]
        let mixed = try compiled([clip("a", 50, 100), clip("b", 100, 50)], assets)
        #expect(mixed.composition?.outputs.first?.match?.asset == "b", "\(mixed.findings)")
        #expect(try mixed.plan().encoded?.map(\.reason.rawValue) == ["color.guessed.smpte170m"])
    }

    /// Sources that are mirrored and of another colour are refused for the same reason, whether one is followed or not.
    @Test func theReasonIsTheSameForEveryPreset() throws {
        let mirrored = SampleAsset.copyable("a") { stream in
            stream.orientation = Orientation(degrees: 0, isMirrored: true)
            stream.color.matrix = "smpte170m"
        }
        let error = try #require(try compiled([clip("a", 0, 100)], ["a": mirrored]).errors.first)
        #expect(error.message.contains("the source is mirrored"), "\(error)")
        var smart = try #require(
            try compiled([clip("a", 0, 100)], ["a": mirrored], output: #"{ "preset": "h264" }"#).composition
        )
        smart.outputs[0].video?.copies = true
        let plan = try Planner.plan(smart, output: 0, facts: [mirrored.digest: mirrored.facts])
        #expect(plan.encoded?.map(\.reason.rawValue) == ["mirrored"])
    }

    /// A composition that says it already is held to it by the planner.
    @Test func aCompositionIsHeldToIt() throws {
        let good = try compiled([clip("a", 0, 100)], ["a": Self.intra("a")])
        let bad = try compiled(
            [clip("a", 0, 100, ", \"opacity\": 0.5")],
            ["a": Self.intra("a")],
            output: #"{ "preset": "h264" }"#
        )
        var composition = try #require(bad.composition)
        composition.outputs = try #require(good.composition).outputs
        #expect {
            try Planner.plan(composition, output: 0, facts: bad.facts)
        } throws: { error in
            let failure = (error as? PlanError)?.failure
            return failure?.code == "not_copied" && failure?.message.contains("frames 0 to 99") == true
        }
    }

    /// `plan` of another preset offers what `match` would copy only where it would do so.
    @Test func theOfferIsOneThatHolds() throws {
        for (more, wanted) in [("", Int64(100)), (", \"opacity\": 0.5", 0)] {
            let items = [clip("a", 0, 60), clip("a", 0, 40, more)]
            let compiled = try compiled(items, ["a": Self.intra("a")], output: #"{ "preset": "h264" }"#)
            let composition = try #require(compiled.composition)
            let share = try CopySurvey.copyable(of: composition.outputs[0], in: composition, facts: compiled.facts)
            #expect(share?.frames == wanted && share?.of == 100)
        }
    }
}
