import Foundation
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

/// Sounds that an edit only describes.
@Suite struct GeneratedSoundTests {
    private func read(_ asset: String, format: String = "{}") -> EditReadResult {
        EditReader.read(
            """
            { "schema": "edit/1", "format": \(format), "assets": { "g": \(asset) },
              "tracks": [ { "kind": "audio", "segments": [ { "asset": "g", "duration": "2s" } ] } ] }
            """
        )
    }

    private func source(_ asset: String, format: String = "{}") throws -> AssetSource {
        let result = read(asset, format: format)
        guard case .edit(let edit) = result.document, let source = edit.assets["g"]?.value else {
            Issue.record("\(result.findings)")
            throw TimeError.overflow
        }
        return source
    }

    private func sound(_ asset: String, format: String = "{}") throws -> GeneratedSound {
        guard case .generatedSound(let sound) = try source(asset, format: format) else { throw TimeError.overflow }
        return sound
    }

    @Test func whatIsMissingHasItsStandard() throws {
        let tone = try sound(#"{ "generate": "tone" }"#)
        #expect(tone.frequencies == [1_000_000_000] && tone.wave == .sine && tone.level == -20_000_000)
        #expect(tone.sampleRate == 48_000 && tone.channels == 1 && tone.sampleCount == 60 * 48_000)
        let format = #"{ "sampleRate": 44100 }"#
        let noise = try sound(#"{ "generate": "noise", "color": "pink", "duration": "1001/30000" }"#, format: format)
        #expect(noise.sampleRate == 44_100 && noise.sampleCount == 1471 && noise.color == .pink && noise.seed == 0)
        let sweep = try sound(#"{ "generate": "sweep", "from": "0.1kHz", "course": "linear", "sampleRate": 16000 }"#)
        #expect(sweep.frequencies == [100_000_000, 7_999_000_000] && sweep.course == .linear)
        let silence = try sound(#"{ "generate": "silence", "duration": "2s", "channels": 2 }"#)
        #expect(silence.sampleCount == 96_000 && silence.channels == 2 && silence.level == 0)
    }

    @Test func speechIsWords() throws {
        let text = #"{ "generate": "speech", "text": "Guten Tag", "voice": "de", "rate": 150, "gap": "50ms" }"#
        #expect(try source(text) == .speech(SpokenText(text: "Guten Tag", voice: "de", rate: 150, pitch: 50, gap: 5)))
        #expect(try source(#"{ "generate": "speech", "text": "Hello" }"#) == .speech(.init(text: "Hello", voice: "en")))
    }

    @Test func itsBytesSayAllOfIt() throws {
        let tone = try sound(#"{ "generate": "tone", "frequency": "440Hz" }"#)
        #expect(try GeneratedSound(bytes: tone.bytes) == tone)
        #expect(tone.digest == ContentDigest(of: tone.bytes))
        #expect(try sound(#"{ "generate": "tone" }"#).digest != tone.digest)
        #expect(try GeneratedSound(bytes: Data("RIFF".utf8)) == nil)
        var wrong = tone
        wrong.frequencies = [24_000_000_000]
        #expect(throws: DecodingError.self) { try GeneratedSound(bytes: wrong.bytes) }
        wrong = tone
        wrong.channels = 1000
        #expect(throws: DecodingError.self) { try GeneratedSound(bytes: wrong.bytes) }
    }

    @Test(arguments: [
        (#"{ "generate": "ton" }"#, "unknown-value", "/generate"),
        (#"{ "generate": "tone", "frequency": "440" }"#, "wrong-type", "/frequency"),
        (#"{ "generate": "tone", "frequency": "24kHz" }"#, "number-range", "/frequency"),
        (#"{ "generate": "tone", "level": "3dB" }"#, "number-range", "/level"),
        (#"{ "generate": "tone", "seed": 4 }"#, "contradiction", "/seed"),
        (#"{ "generate": "tone", "channels": 1000 }"#, "number-range", "/channels"),
        (#"{ "generate": "tone", "wave": "sinus" }"#, "unknown-value", "/wave"),
        (#"{ "generate": "tone", "size": [64, 36] }"#, "unknown-key", "/size"),
        (##"{ "generate": "noise", "color": "#ff0000" }"##, "unknown-value", "/color"),
        (#"{ "generate": "sweep", "from": "1kHz", "to": "1000Hz" }"#, "contradiction", "/to"),
        (#"{ "generate": "silence", "duration": "400000s" }"#, "time-range", "/duration"),
        (#"{ "generate": "silence", "duration": "3f" }"#, "time-syntax", "/duration"),
        (#"{ "generate": "speech" }"#, "missing-key", ""),
        (#"{ "generate": "speech", "text": " … " }"#, "number-range", "/text"),
        (#"{ "generate": "speech", "text": "a", "voice": "-f" }"#, "unknown-value", "/voice"),
        (#"{ "generate": "speech", "text": "a", "rate": 1000 }"#, "number-range", "/rate"),
        (#"{ "generate": "speech", "text": "a", "gap": "15ms" }"#, "number-range", "/gap"),
        (#"{ "generate": "speech", "text": "a", "duration": "2s" }"#, "contradiction", "/duration"),
    ])
    func isWrong(asset: String, rule: String, pointer: String) {
        let result = read(asset)
        #expect(result.findings.map(\.rule) == [rule])
        #expect(result.findings.map(\.pointer) == ["/assets/g" + pointer])
    }

    /// What is made for the edit does not decide its format: here it has the default's two channels.
    @Test func itImpliesNoFormat() throws {
        let result = read(#"{ "generate": "tone", "sampleRate": 22050 }"#)
        guard let document = result.document else { throw TimeError.overflow }
        let tone = try sound(#"{ "generate": "tone", "sampleRate": 22050 }"#)
        let asset = CompilerAsset(digest: tone.digest, facts: tone.facts)
        let compiled = EditCompiler.compile(document, assets: ["g": asset])
        #expect(compiled.composition?.format.sampleRate == 48_000 && compiled.composition?.format.channels == 2)
    }
}
