import EditSamples
import Planning
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

@Suite struct CompileFormatTests {
    private func compiled(
        _ video: VideoStreamFacts,
        _ audio: [AudioStreamFacts] = [],
        format: String = ""
    ) throws -> Compiled {
        let text = """
            { "schema": "edit/1", \(format) "assets": { "s": "s.mp4" },
              "tracks": [ { "kind": "video", "segments": [ { "asset": "s" } ] } ] }
            """
        return try Compiled(text, ["s": SampleAsset.asset("s", [video], audio)])
    }

    private func stream(
        _ width: Int,
        _ height: Int,
        degrees: Int = 0,
        aspect: RationalTime = RationalTime(whole: 1)
    ) throws -> VideoStreamFacts {
        SampleAsset.video(
            rate: try FrameRate(24_000, 1001),
            seconds: 10,
            width: width,
            height: height,
            orientation: Orientation(degrees: degrees, isMirrored: false),
            pixelAspect: aspect
        )
    }

    @Test func whatIsMissingComesFromTheFirstVideoAsset() throws {
        let compiled = try compiled(
            stream(1920, 800),
            [SampleAsset.audio(sampleRate: 44_100, seconds: 10, channels: 6)]
        )
        let format = try #require(compiled.composition?.format)
        #expect(format.size == PictureSize(width: 1920, height: 800))
        #expect(format.frameRate == (try FrameRate(24_000, 1001)))
        #expect(format.sampleRate == 44_100 && format.channels == 2)
        #expect(format.color == .bt709 && format.background == "#000000")
        let notes = compiled.findings.filter { $0.rule == "implied-format" }
        #expect(notes.count == 4 && notes.allSatisfy { $0.severity == .note && $0.message.contains("\"s\"") })
    }

    @Test func whatIsWrittenStays() throws {
        let format = #""format": { "size": [640, 360], "frameRate": "50", "sampleRate": 48000, "channels": 1 },"#
        let compiled = try compiled(stream(1920, 800), format: format)
        let found = try #require(compiled.composition?.format)
        #expect(found.size == PictureSize(width: 640, height: 360) && found.channels == 1)
        #expect(!compiled.findings.contains { $0.rule == "implied-format" })
    }

    @Test func sizesAreAsDisplayedAndEven() throws {
        let turned = try compiled(stream(1920, 1080, degrees: 90)).composition
        #expect(turned?.format.size == PictureSize(width: 1080, height: 1920))
        let wide = try compiled(stream(720, 576, aspect: RationalTime(64, 45))).composition
        #expect(wide?.format.size == PictureSize(width: 1024, height: 576))
        let odd = try compiled(stream(641, 361))
        #expect(odd.composition?.format.size == PictureSize(width: 642, height: 362))
        #expect(odd.findings.contains { $0.severity == .note && $0.message.contains("641x361") })
    }

    @Test func aVariableRateIsReported() throws {
        let compiled = try compiled(SampleAsset.variable(ticks: [33, 34, 33, 100], count: 100, gop: 30))
        #expect(compiled.composition?.format.frameRate.description == "30")
        #expect(
            compiled.findings.contains {
                $0.message.contains("variable rate of 20 on average, at which no frame is lost")
            }
        )
        let odd = try self.compiled(SampleAsset.variable(ticks: [10, 73], count: 100, gop: 30))
        #expect(odd.composition?.format.frameRate.description == "24")
        #expect(odd.findings.contains { $0.message.contains("22 of its 100 frames are not seen") })
    }

    @Test func soundAloneNeedsNoPicture() throws {
        let text = """
            { "schema": "edit/1", "assets": { "m": "m.m4a" },
              "tracks": [ { "kind": "audio", "segments": [ { "asset": "m", "duration": "1.01s" } ] } ] }
            """
        let assets = [
            "m": SampleAsset.asset("m", [], [SampleAsset.audio(sampleRate: 44_100, seconds: 10, streamIndex: 0)])
        ]
        let compiled = try Compiled(text, assets)
        let composition = try #require(compiled.composition, "\(compiled.errors)")
        #expect(composition.format.sampleRate == 44_100)
        // 1.01 s are 25.25 frames; what is heard ends with its own last sample.
        #expect(composition.frameCount == 26)
        #expect(composition.instructions.isEmpty && composition.videoTracks.isEmpty)
        #expect(composition.audioTracks[0].segments[0].count == 44_541)
        #expect(composition.outputs[0].video == nil && composition.outputs[0].audio != nil)
        let plan = try compiled.plan()
        #expect(plan.segments.isEmpty && plan.sampleCount == 44_541)
        #expect(plan.stitchTask().partFrameCounts.isEmpty)
    }

    /// Music of 44.1 kHz, or what is given.
    private func sounds(
        _ format: String,
        outputs: [String],
        rate: Int = 44_100,
        preset: String? = nil
    ) throws -> Compiled {
        let assets = [
            "m": SampleAsset.asset("m", [], [SampleAsset.audio(sampleRate: rate, seconds: 10, streamIndex: 0)])
        ]
        let written = outputs.map { "{ \"preset\": \"\($0)\", \"file\": \"\($0).out\" }" }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1", \(format) "assets": { "m": "m.wav" },
              "tracks": [ { "kind": "audio", "segments": [ { "asset": "m" } ] } ], "outputs": [\(written)] }
            """
        return try Compiled(text, assets, CompileOptions(preset: preset))
    }

    /// Whatever the command asks for: what is measured is what is rendered.
    @Test(
        arguments: [
            (["opus"], 44_100, nil, 48_000), (["opus", "wav"], 44_100, nil, 48_000), ([], 44_100, "opus", 48_000),
            (["opus"], 44_100, "lossless", 48_000), (["h264"], 44_100, nil, 44_100), (["opus"], 24_000, nil, 24_000),
            ([], 192_000, nil, 48_000), (["wav"], 192_000, nil, 192_000), (["ac3"], 22_050, nil, 48_000),
        ] as [([String], Int, String?, Int)]
    )
    func aCodecHasItsSayInTheRateThatIsImplied(outputs: [String], rate: Int, preset: String?, wanted: Int) throws {
        let compiled = try sounds("", outputs: outputs, rate: rate, preset: preset)
        #expect(compiled.composition?.format.sampleRate == wanted, "\(compiled.findings)")
        let notes = compiled.findings.filter { $0.rule == "implied-format" && $0.message.contains("sampleRate") }
        #expect(notes.count == 1 && notes[0].message.contains("does not have") == (wanted != rate), "\(notes)")
    }

    @Test func aRateThatIsWrittenIsRefused() throws {
        let errors = try sounds(#""format": { "sampleRate": 44100 },"#, outputs: ["opus"]).errors
        #expect(errors.map(\.rule) == ["sample-rate"] && errors[0].suggestion == #""sampleRate": 48000"#)
    }

    /// What no filter spans is told when the edit is compiled, not when it is rendered.
    @Test(arguments: [(1, false), (749, false), (750, true), (1_000_000, true), (2_000_000, false)])
    func aSourceHasARateThatCanBeHeard(rate: Int, isHeard: Bool) throws {
        let compiled = try sounds(#""format": { "sampleRate": 48000 },"#, outputs: ["wav"], rate: rate)
        #expect(compiled.errors.map(\.rule) == (isHeard ? [] : ["sample-rate"]))
        guard !isHeard else { return }
        #expect(compiled.errors[0].message.contains("convert it to a rate from 750 to 1000000 Hz"))
    }
}
