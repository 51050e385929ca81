import Foundation
import TestSupport
import Testing
import WireProtocol

/// What is said of sound that cannot be heard, and of what cannot be made of it: one sentence, before any work.
struct SoundRefusalTests {
    /// A WAV of 16 bits whose header says what is given.
    private func wave(_ name: String, channels: Int, rate: Int, frames: Int, _ cutfarm: Cutfarm) throws -> String {
        var bytes = Data("RIFF".utf8)
        func number(_ value: Int, _ size: Int) -> Data {
            Data((0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        let (frame, size) = (2 * channels, 2 * channels * frames)
        bytes += number(36 + size, 4) + Data("WAVEfmt ".utf8) + number(16, 4) + number(1, 2) + number(channels, 2)
        bytes += number(rate, 4) + number(rate * frame, 4) + number(frame, 2) + number(16, 2)
        bytes += Data("data".utf8) + number(size, 4) + Data(count: size)
        let path = cutfarm.folder.path(name)
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        arguments: [
            (1000, 48_000, 10, "A sound stream has 1000 channels, and at most 64 are read"),
            (2, 48_000, 0, "sound (pcm_s16le) has no samples that can be decoded; record or copy it again"),
            (1, 1, 100, "sound of 1 Hz cannot be brought to 48000 Hz; convert it to a rate from 750 to 1000000 Hz"),
            (1, 2_000_000, 4000, "sound of 2000000 Hz cannot be brought to 48000 Hz; convert it to a rate from 750"),
        ]
    )
    func strangeFilesAreRefused(channels: Int, rate: Int, frames: Int, words: String) async throws {
        let cutfarm = try Cutfarm()
        let path = try wave("a.wav", channels: channels, rate: rate, frames: frames, cutfarm)
        let copy = cutfarm.folder.path("copy.wav")
        for arguments in [["loudness", path], ["waveform", path, "-o", "-"], ["read", path, "-o", copy]] {
            let outcome = try await cutfarm.run(arguments)
            #expect(outcome.exitCode == 2 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
    }

    @Test func anotherRateIsTold() async throws {
        let cutfarm = try Cutfarm()
        let path = try wave("a.wav", channels: 1, rate: 4000, frames: 4000, cutfarm)
        let outcome = try await cutfarm.run(["loudness", path, "--json"])
        #expect(outcome.errors.hasPrefix("\(path): note: its 4000 Hz are heard at 48000 Hz\n"), "\(outcome.errors)")
        #expect(try WireJSON.decode(LoudnessSummary.self, from: outcome.output).sampleRate == 48_000)
    }

    @Test func anImageThatCannotBeMadeIsRefused() async throws {
        let cutfarm = try Cutfarm()
        let path = try wave("a.wav", channels: 1, rate: 48_000, frames: 48_000, cutfarm)
        for size in ["16384x16384", "16129x16384"] {
            let png = cutfarm.folder.path("a.png")
            let outcome = try await cutfarm.run(["waveform", path, "-o", png, "--size", size])
            #expect(outcome.exitCode == 2 && outcome.errors.contains("A PNG of \(size) is larger than can be made"))
            #expect(outcome.errors.contains("make a side 16128 or less, or write SVG"))
            #expect(!FileManager.default.fileExists(atPath: png))
        }
        let svg = try await cutfarm.run(
            ["waveform", path, "-o", cutfarm.folder.path("a.svg"), "--size", "16384x16384"]
        )
        #expect(svg.exitCode == 0, "\(svg.errors)")
    }

    /// Media cannot be read from a pipe; an edit can.
    @Test func standardInputIsAnEdit() async throws {
        let cutfarm = try Cutfarm()
        let path = try wave("a.wav", channels: 1, rate: 48_000, frames: 48_000, cutfarm)
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": { "generate": "tone", "duration": "1s" } },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "a" }] }] }
            """
        )
        for input in ["-", "/dev/stdin"] {
            let line = "cat \"$1\" | \"$0\" loudness \(input) --state \"$2\""
            let refused = try await Shell.run("sh", ["-c", line, Programs.cutfarm, path, cutfarm.state])
            #expect(refused.exitCode == 2 && refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
            #expect(refused.errors.contains("is no edit, and media is read from a file, in any order: write it to one"))
            let heard = try await Shell.run("sh", ["-c", line, Programs.cutfarm, edit, cutfarm.state])
            #expect(heard.exitCode == 0 && heard.text.contains("integrated"), "\(heard.errors)")
        }
    }

    /// Less than the block of 0.4 s has no loudness: all keys are there, and a target is not passed over in silence.
    @Test func whatIsTooShortForALoudnessIsSaid() async throws {
        let cutfarm = try Cutfarm()
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": { "generate": "tone", "duration": "0.2s" } },
              "format": { "frameRate": "25" }, "master": { "loudness": { "target": "-16LUFS" } },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "a" }] }] }
            """
        )
        let outcome = try await cutfarm.run(["loudness", edit, "--json"])
        #expect(outcome.exitCode == 0 && outcome.errors.contains("shorter than 0.4 s"), "\(outcome.errors)")
        let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
        let keys = "integrated maximumMomentary maximumShortTerm range sampleCount sampleRate truePeak"
        #expect(
            object?.keys.sorted().joined(separator: " ") == keys && object?["integrated"] is NSNull,
            "\(outcome.text)"
        )
        let file = cutfarm.folder.path("a.wav")
        let rendered = try await cutfarm.run(["render", edit, "-o", file, "--preset", "wav"])
        #expect(rendered.exitCode == 0 && rendered.errors.contains("shorter than 0.4 s"), "\(rendered.errors)")
    }
}
