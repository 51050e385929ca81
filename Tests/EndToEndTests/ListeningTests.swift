import Foundation
import TestSupport
import Testing
import WireProtocol

/// `waveform` and `loudness`, with the sandboxed child, and what they say of bad input.
struct ListeningTests {
    private func prepare() async throws -> (Cutfarm, sound: String) {
        let cutfarm = try Cutfarm()
        let sound = cutfarm.folder.path("tone.wav")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "aevalsrc='0.1*sin(2*PI*997*t)|0.1*sin(2*PI*997*t)':s=48000:d=20", sound]
        )
        return (cutfarm, sound)
    }

    private struct Numbers: Decodable {
        var channels: Int
        var sample_rate: Int
        var length: Int
        var samples: Int
        var data: [Int]
        var rms: [Int]
    }

    @Test func aFileAndAnEditAreDrawn() async throws {
        let (cutfarm, sound) = try await prepare()
        let (png, svg) = (cutfarm.folder.path("a.png"), cutfarm.folder.path("a.svg"))
        var outcome = try await cutfarm.run(["waveform", sound, "-o", png, "--size", "200x80"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let size = try await Shell.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", png]
        ).text
        #expect(size == "200,80\n")
        // As long as the file, which is no whole number of frames.
        let odd = cutfarm.folder.path("odd.wav")
        try await Shell.ffmpeg(["-i", sound, "-af", "atrim=end_sample=12345", odd])
        outcome = try await cutfarm.run(["waveform", odd, "-o", "-", "--samples-per-pixel", "1000"])
        #expect(try JSONDecoder().decode(Numbers.self, from: outcome.output).samples == 12_345)
        outcome = try await cutfarm.run(["waveform", sound, "-o", svg, "--channels", "mixed"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        outcome = try await cutfarm.run(["waveform", sound, "-o", svg])
        #expect(outcome.exitCode == 6 && outcome.errors.contains("--force"))
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "\(sound)" }, "format": { "frameRate": "25" },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "a", "duration": "2s", "volume": 0.5 }] }] }
            """
        )
        let options = ["--samples-per-pixel", "4800", "--range", "1s", "1s"]
        outcome = try await cutfarm.run(["waveform", edit, "-o", "-"] + options)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let numbers = try JSONDecoder().decode(Numbers.self, from: outcome.output)
        #expect(numbers.length == 10 && numbers.samples == 48_000 && numbers.channels == 2)
        // 0.05 of full scale, 3 dB less for the root mean square.
        #expect(numbers.data.allSatisfy { abs(abs($0) - 1638) <= 2 })
        #expect(numbers.rms.allSatisfy { abs($0 - 1158) <= 2 })
    }

    @Test func aToneIsAsLoudAsItIs() async throws {
        let (cutfarm, sound) = try await prepare()
        let outcome = try await cutfarm.run(["loudness", sound, "--json"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let summary = try WireJSON.decode(LoudnessSummary.self, from: outcome.output)
        // BS.1770: a sine of 997 Hz at −20 dB of full scale on both sides is −20 LUFS.
        #expect(abs(try #require(summary.integrated) + 20) < 0.05)
        #expect(abs(try #require(summary.truePeak) + 20) < 0.05)
        let table = try await cutfarm.run(["loudness", sound]).text
        #expect(table.contains("integrated       -20.0 LUFS"), "\(table)")
    }

    @Test func anEditIsBroughtToItsLoudness() async throws {
        let (cutfarm, sound) = try await prepare()
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "\(sound)" }, "format": { "frameRate": "25" },
              "master": { "loudness": { "target": "-16LUFS", "truePeak": "-1dBTP" } },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "a" }] }] }
            """
        )
        let outcome = try await cutfarm.run(["loudness", edit, "--json"])
        let summary = try WireJSON.decode(LoudnessSummary.self, from: outcome.output)
        #expect(abs(try #require(summary.integrated) + 16) < 0.05)
    }

    /// On a terminal; the bar goes away before the numbers come.
    @Test func aTerminalSeesHowFarItIs() async throws {
        let (cutfarm, sound) = try await prepare()
        let line = "'\(Programs.cutfarm)' loudness '\(sound)' --state '\(cutfarm.state)'"
        let seen = try await Shell.run("script", ["-qec", line, "/dev/null"]).text
        let parts = seen.components(separatedBy: "\r\u{1b}[K")
        #expect(parts.count > 2 && parts[1].hasPrefix("heard ") && parts[1].contains(" %"), "\(seen)")
        #expect(parts.last?.hasPrefix("integrated") == true)
        #expect(try await !cutfarm.run(["loudness", sound]).errors.contains("\u{1b}"))
    }

    @Test func badInputIsSaid() async throws {
        let (cutfarm, sound) = try await prepare()
        let movie = cutfarm.folder.path("silent.mp4")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "color=s=64x48:d=1", movie])
        let png = cutfarm.folder.path("x.png")
        let cases: [([String], String)] = [
            (["waveform", movie, "-o", png], "There is no sound in \(movie), so it has no samples."),
            (["loudness", movie], "There is no sound in \(movie), so it has no samples."),
            (["waveform", sound, "-o", png, "--range", "30s", "1s"], "--range 30s 1s goes on after"),
            (["waveform", sound, "-o", png, "--size", "20000x100"], "write two numbers from 1 to 16384, such as"),
            (["waveform", sound, "-o", png, "--size", "100x1"], "2 channels need as many rows"),
            (["waveform", sound, "-o", png, "--samples-per-pixel", "10"], "write 59 or more"),
            (["waveform", sound, "-o", cutfarm.folder.path("x.gif")], "a waveform is png, svg or json"),
            (["waveform", sound, "-o", png, "--color", "blue"], "write a colour such as"),
            (["waveform", sound, "-o", png, "--channels", "left"], "write each or mixed"),
        ]
        for (arguments, words) in cases {
            let outcome = try await cutfarm.run(arguments)
            #expect(outcome.exitCode == 2 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: png))
    }
}
