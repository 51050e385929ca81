import EditSamples
import Foundation
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning
@testable import Timing

@Suite struct CompileOutputTests {
    let assets = ["a": SampleAsset.minute("a")]

    private func compiled(
        _ outputs: String = "[]",
        item: String = #"{ "asset": "a", "duration": "10s" }"#,
        options: CompileOptions = CompileOptions()
    ) throws -> Compiled {
        let text = editText([item], assets: ["a"], outputs: outputs)
        return try Compiled(outputs == "[]" ? text.replacing(",\n  \"outputs\": []", with: "") : text, assets, options)
    }

    @Test func withoutOutputsThereIsOne() throws {
        let compiled = try compiled()
        let output = try #require(compiled.composition?.outputs.first)
        #expect(output.preset == "h264" && output.file == nil && output.range == nil)
        #expect(compiled.findings.contains { $0.rule == "implied-output" && $0.severity == .note })
    }

    private func soundAlone(
        _ range: [String]? = nil,
        outputs: String = "",
        format: String = ""
    ) throws -> Compiled {
        let text = """
            { "schema": "edit/1", \(format) "assets": { "a": "a.wav" },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "a", "duration": "374929@48000" }] }]\(outputs) }
            """
        return try Compiled(text, ["a": SampleAsset.minute("a")], CompileOptions(range: range))
    }

    /// Nothing is said of a picture that does not exist.
    @Test func soundAloneIsMadeAsSound() throws {
        let compiled = try soundAlone()
        let output = try #require(compiled.composition?.outputs.first)
        #expect(output.preset == "aac" && output.video == nil && output.audio?.codec == .aac)
        #expect(output.fileExtension == "m4a" && output.soundRange == nil)
        let notes = compiled.findings.filter { $0.severity == .note }
        #expect(notes.allSatisfy { !$0.message.contains("size") && !$0.message.contains("frameRate") }, "\(notes)")
        #expect(notes.contains { $0.rule == "implied-output" && $0.message.contains("\"aac\"") })
    }

    /// Both ends of a range of sound alone are the nearest samples, at any frame rate; ranges side by side share none.
    @Test(arguments: [
        (["0s", "1.0131s"], 0, 48_629), (["1.0131s", "6.797920833s"], 48_629, 326_300), (["1@48000", "1@48000"], 1, 1),
        (["15f", "1s"], 28_800, 48_000), (["374928@48000", "1@48000"], 374_928, 1),
        (["0s", "374929@48000"], 0, 374_929),
    ])
    func aRangeOfSoundAloneIsOfSamples(range: [String], start: Int64, count: Int64) throws {
        let compiled = try soundAlone(range)
        let output = try #require(compiled.composition?.outputs.first, "\(compiled.findings)")
        #expect(output.soundRange == SampleRange(start: start, count: count))
        let plan = try compiled.plan(segmentCount: 1)
        #expect(plan.sampleCount == count && plan.sound?.firstSample == start && plan.sound?.sampleCount == count)
        #expect(plan.segments.isEmpty)
        let written = try soundAlone(
            outputs: #", "outputs": [{ "preset": "wav", "range": ["\#(range[0])", "\#(range[1])"] }]"#
        )
        #expect(written.composition?.outputs[0].soundRange == output.soundRange)
        let again = try Compiled(
            try ExplainPrinter.text(try #require(compiled.composition)),
            ["a": SampleAsset.minute("a")]
        )
        #expect(again.composition == compiled.composition)
    }

    @Test(arguments: [
        (["1s", "6.9s"], "range-past-end", "the range ends at 7.9 s, the edit at ≈ 7.811021 s"),
        (["0s", "374930@48000"], "range-past-end", "≈ 7.811042 s"), (["1s", "0s"], "time-range", "one sample"),
        (["1s", "0.00001s"], "time-range", "one sample"), (["-1s", "2s"], "time-range", "before 0"),
    ])
    func wrongRangesOfSoundAloneAreErrors(range: [String], rule: String, words: String) throws {
        let errors = try soundAlone(range).errors
        #expect(errors.map(\.rule) == [rule] && errors[0].message.contains(words), "\(errors)")
    }

    /// A range replaces that of a composition too.
    @Test func aCompositionOfSoundAloneHasRangesOfSamples() throws {
        let composition = try #require(try soundAlone().composition)
        let options = CompileOptions(range: ["1.0131s", "1@48000"])
        let ranged = try Compiled(try ExplainPrinter.text(composition), ["a": SampleAsset.minute("a")], options)
        #expect(ranged.composition?.outputs[0].soundRange == SampleRange(start: 48_629, count: 1))
        let past = CompileOptions(range: ["0s", "8s"])
        let refused = try Compiled(try ExplainPrinter.text(composition), ["a": SampleAsset.minute("a")], past)
        #expect(refused.errors.map(\.rule) == ["range-past-end"])
    }

    @Test func thePresetOfTheCommandLineReplacesTheOutputs() throws {
        let outputs = #"[{ "preset": "h264", "file": "x.mp4" }, { "preset": "h264-720p", "file": "y.mp4" }]"#
        let found = try compiled(outputs, options: CompileOptions(preset: "lossless")).composition?.outputs
        #expect(found?.map(\.preset) == ["lossless"])
        let wrong = try compiled(outputs, options: CompileOptions(preset: "losless"))
        #expect(wrong.errors.map(\.rule) == ["unknown-preset"] && wrong.errors[0].suggestion == "\"lossless\"")
    }

    @Test func theRangeOfTheCommandLineIsThatOfEveryOutput() throws {
        let outputs =
            #"[{ "preset": "h264", "file": "x.mp4" }, { "preset": "lossless", "range": ["1s", "1s"], "file": "y" }]"#
        let options = CompileOptions(range: ["00:00:02:10", "15f"])
        let found = try compiled(outputs, options: options).composition?.outputs
        #expect(found?.map(\.range) == Array(repeating: FrameRange(start: 60, count: 15), count: 2))
    }

    @Test(arguments: [
        (["9s", "1.04s"], "range-past-end"), (["0.01s", "1s"], "off-frame"), (["1s"], "time-range"),
        (["1", "2s"], "time-syntax"), (["1s", "0s"], "time-range"), (["-1s", "2s"], "time-range"),
    ])
    func wrongRangesAreErrors(range: [String], rule: String) throws {
        let compiled = try compiled(options: CompileOptions(range: range))
        #expect(compiled.errors.map(\.rule) == [rule])
    }

    @Test(arguments: PresetCatalog.all.map(\.name)) func integersAloneAreDithered(preset: String) throws {
        let compiled = try compiled("[{ \"preset\": \"\(preset)\", \"dither\": \"triangular\" }]")
        let integers = ["lossless", "wav", "wav-16", "wav-32", "flac", "alac"]
        if integers.contains(preset) {
            #expect(compiled.composition?.outputs[0].audio?.dither == .triangular)
        } else {
            #expect(compiled.errors.map(\.rule) == ["dither"] && compiled.errors[0].pointer == "/outputs/0/dither")
            let message = compiled.errors[0].message
            #expect(message.contains("\"\(preset)\"") && message.contains("\"wav-16\""))
        }
    }

    /// What has none has the canonical form, and so the keys, that it had before there was any.
    @Test func withoutDitherNothingIsSaidOfIt() throws {
        let composition = try #require(try compiled(#"[{ "preset": "wav-16" }]"#).composition)
        #expect(try !ExplainPrinter.text(composition).contains("dither"))
    }

    @Test func fitNoneHasNoOtherScale() throws {
        let item = #"{ "asset": "a", "duration": "1s", "fit": "none" }"#
        #expect(try compiled(#"[{ "preset": "h264" }]"#, item: item).errors.isEmpty)
        #expect(try compiled(#"[{ "preset": "h264-480p" }]"#, item: item).errors.map(\.rule) == ["unsupported"])
    }

    @Test func whatWasCompiledIsAcceptedAgain() throws {
        let first = try compiled(#"[{ "preset": "h264-480p", "range": ["1s", "2s"] }]"#)
        let composition = try #require(first.composition)
        let again = try Compiled(try ExplainPrinter.text(composition, findings: first.findings), assets)
        #expect(again.composition == composition)
        let ranged = try Compiled(try ExplainPrinter.text(composition), assets, CompileOptions(range: ["3s", "1s"]))
        #expect(ranged.composition?.outputs[0].range == FrameRange(start: 75, count: 25))
        let other = try Compiled(try ExplainPrinter.text(composition), assets, CompileOptions(preset: "lossless"))
        #expect(other.composition?.outputs.map(\.preset) == ["lossless"])
    }

    @Test func aCompositionIsCheckedAgainstItsAssets() throws {
        var composition = try #require(try compiled().composition)
        #expect(try Compiled(ExplainPrinter.text(composition), [:]).errors.map(\.rule) == ["asset-missing"])
        composition.videoTracks[0].segments[0].sourceStart = RationalTime(whole: 51)
        #expect(try Compiled(ExplainPrinter.text(composition), assets).errors.map(\.rule) == ["past-end"])
        composition.videoTracks[0].segments[0].stream = 1
        composition.audioTracks[0].segments[0].stream = 0
        #expect(
            try Compiled(ExplainPrinter.text(composition), assets).errors.map(\.rule) == ["no-picture", "no-sound"]
        )
        composition.instructions = []
        #expect(try Compiled(ExplainPrinter.text(composition), assets).errors.map(\.rule) == ["instructions-too-short"])
    }

    @Test func aPlanIsATable() throws {
        let compiled = try compiled(#"[{ "preset": "h264", "file": "out.mp4", "range": ["2s", "8s"] }]"#)
        let plan = try compiled.plan(segmentCount: 2)
        let lines = PlanPrinter.text(plan, names: [SampleAsset.digest("a"): "holiday"]).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[0] == "out.mp4: h264, 1280x720, 25 fps, 200 frames, 2 segments")
        #expect(lines[1].hasPrefix("segment  frames"))
        #expect(lines[2].contains("50..<150") && lines[2].contains("00:00:02:00"))
        #expect(lines[2].contains("edge") && lines[2].contains("forced") && lines[2].contains("holiday"))
        #expect(lines[4] == "sound: 384000 samples, 48000 Hz, 2 channels, from holiday")
    }
}
