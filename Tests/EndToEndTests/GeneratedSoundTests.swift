import Foundation
import TestSupport
import Testing

/// Sounds without files, from the command line to the finished file.
struct GeneratedSoundTests {
    private static let program = ProcessInfo.processInfo.environment["CUTFARM_ESPEAK"] ?? "espeak-ng"

    private static func hasSpeech() async throws -> Bool {
        try await Shell.run("env", ["sh", "-c", "command -v \"\(program)\""]).exitCode == 0
    }

    @Test func toneAndNoise() async throws {
        let cutfarm = try Cutfarm()
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1",
              "assets": { "tone": { "generate": "tone", "frequency": "1kHz", "level": "-6dB", "duration": "1s" },
                          "hiss": { "generate": "noise", "color": "pink", "level": "-40dB" } },
              "tracks": [
                { "kind": "audio", "segments": [{ "asset": "tone" }, { "gap": "1s" }] },
                { "kind": "audio", "segments": [{ "asset": "hiss", "duration": "2s", "volume": 0.5 }] }] }
            """
        )
        let file = try await cutfarm.render(edit, to: "out.wav", ["--preset", "wav"])
        let heard = try await Shell.ffmpeg(["-i", file, "-f", "f32le", "-"])
        let samples = heard.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(samples.count == 2 * 96_000)
        #expect((samples.prefix(96_000).max() ?? 0) > 0.49 && (samples.suffix(95_000).max() ?? 1) < 0.1)
        #expect(samples.suffix(95_000).contains { abs($0) > 0.001 })
        // The same samples for another program.
        let read = cutfarm.folder.path("read.wav")
        #expect(try await cutfarm.run("read", edit, "--format", "wav", "-o", read).exitCode == 0)
        let plain = ["-f", "s24le", "-"]
        let both = [try await Shell.ffmpeg(["-i", read] + plain), try await Shell.ffmpeg(["-i", file] + plain)]
        #expect(both[0] == both[1])
        #expect(cutfarm.leftovers().isEmpty)
    }

    @Test(.enabled("espeak-ng is needed", hasSpeech)) func speech() async throws {
        let cutfarm = try Cutfarm()
        func edit(_ words: String) throws -> String {
            try cutfarm.write(
                "edit.json",
                """
                { "schema": "edit/1", "assets": { "voice": { "generate": "speech", \(words) } },
                  "tracks": [{ "kind": "audio", "segments": [{ "asset": "voice" }] }] }
                """
            )
        }
        var lengths: [Int] = []
        for (name, rate) in [("slow", 100), ("fast", 300)] {
            let words = "\"text\": \"One two three. <four>\", \"voice\": \"en-us\", \"rate\": \(rate)"
            let file = try await cutfarm.render(edit(words), to: name + ".wav", ["--preset", "wav-16"])
            let heard = try await Shell.ffmpeg(["-i", file, "-f", "s16le", "-"])
            let samples = heard.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            #expect((samples.max() ?? 0) > 3000)
            lengths.append(samples.count)
        }
        #expect(lengths[0] > 2 * lengths[1] && lengths[1] > 48_000)
        let unknown = try await cutfarm.run("check", edit(#""text": "One", "voice": "zz-unknown""#))
        #expect(unknown.exitCode != 0 && unknown.errors.contains("with the voice \"zz-unknown\""))
    }

    /// Without the program: one sentence that says what to do.
    @Test func withoutTheProgram() async throws {
        let cutfarm = try Cutfarm()
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "voice": { "generate": "speech", "text": "Hello" } },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "voice" }] }] }
            """
        )
        let arguments = [Programs.cutfarm, "check", edit, "--state", cutfarm.state]
        let outcome = try await Shell.run("env", ["CUTFARM_ESPEAK=/missing/espeak-ng"] + arguments)
        #expect(outcome.exitCode == 2)
        #expect(outcome.errors.contains("speech needs the program espeak-ng, which is not there; install it"))
        #expect(outcome.errors.split(separator: "\n").filter { $0.contains(": error:") }.count == 1)
    }
}
