import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning

@Suite struct PlanPrinterTests {
    private func lines(
        _ seconds: Int,
        preset: String,
        range: [String]? = nil,
        segment: String = "",
        rest: String = ""
    ) throws -> [String] {
        var stream = SampleAsset.audio(seconds: 600, streamIndex: 0)
        stream.cells = SoundCells(preRoll: 0, origin: 0, isByPosition: nil)
        let asset = SampleAsset.asset("s", [], [stream])
        let text = """
            { "schema": "edit/1",
              "format": { "size": [1280, 720], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "s": "s.wav" },
              "tracks": [ { "kind": "audio", "segments": [ { "asset": "s", "duration": "\(seconds)s" \(segment) } ] } ], \(rest)
              "outputs": [{ "preset": "\(preset)" }] }
            """
        let plan = try Compiled(text, ["s": asset], CompileOptions(range: range)).plan()
        return PlanPrinter.text(plan, names: [asset.digest: "s"]).split(separator: "\n").map(String.init)
    }

    /// There are no frames to list, so its pieces are.
    @Test func soundAloneIsListedByItsPieces() throws {
        let lines = try lines(300, preset: "wav")
        #expect(lines[0] == "wav, sound alone, \(lines.count - 3) pieces" && lines.count > 4)
        #expect(lines[1].hasPrefix("piece") && lines[2].hasPrefix("1      0..<") && lines[2].contains("00:00:00:00"))
        #expect(lines[2].hasSuffix("  s") && lines[lines.count - 2].contains("..<14400000"))
        #expect(lines.last?.hasPrefix("sound: 14400000 samples, 48000 Hz, 2 channels") == true)
    }

    @Test func oneIsNotMany() throws {
        let lines = try lines(2, preset: "flac", range: ["1s", "1s"])
        #expect(lines[0] == "flac, sound alone, 1 piece" && lines.count == 4)
        #expect(lines[2].contains("48000..<96000") && lines[2].contains("00:00:01:00"))
    }

    /// Sound in one piece says why, since it is then made by one worker.
    @Test func oneLongPieceSaysWhy() throws {
        for seconds in [30, 300] {
            #expect(try lines(seconds, preset: "wav").last?.contains("one piece") == false)
        }
        let hall = #"{ "processor": "reverb", "decay": "10s" }"#
        let reverb = "\"master\": { \"processors\": [\(hall), \(hall), \(hall)] },"
        // Short sound is one piece whatever else would make it one.
        for short in [try lines(30, preset: "flac"), try lines(30, preset: "wav", rest: reverb)] {
            #expect(short.last?.contains("one piece") == false, "\(short.last ?? "")")
        }
        let cases: [([String], String)] = [
            (try lines(300, preset: "flac"), "pieces of this codec cannot be joined"),
            (
                try lines(300, preset: "wav", segment: #", "speed": "1/2", "pitch": "keep""#),
                "a long clip keeps its pitch"
            ),
            (try lines(300, preset: "wav", rest: reverb), "processors of the master or of a track remember too much"),
        ]
        for (lines, reason) in cases {
            #expect(lines.last?.contains(", one piece because \(reason)") == true, "\(lines.last ?? "")")
        }
    }
}
