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
