import Foundation
import TestSupport
import Testing
import WireProtocol

/// `--track`: which sound of a file is heard.
struct SoundTrackTests {
    /// A movie with −20, −30 and −40 dB: stereo, mono of another rate, 5.1.
    private func movie(_ cutfarm: Cutfarm) async throws -> String {
        let path = cutfarm.folder.path("a.mkv")
        let tone = "sin(2*PI*997*t)"
        let sounds = [
            "aevalsrc='0.1*\(tone)|0.1*\(tone)':s=48000:d=2", "aevalsrc='0.0316*\(tone)':s=44100:d=2",
            "aevalsrc='0|0|0|0|0.01*\(tone)|0':c=5.1:s=48000:d=2",
        ]
        var arguments = ["-f", "lavfi", "-i", "color=s=64x48:r=25:d=2"]
        for sound in sounds { arguments += ["-f", "lavfi", "-i", sound] }
        for stream in 0...3 { arguments += ["-map", "\(stream)"] }
        arguments += ["-metadata:s:a:1", "language=eng", "-c:v", "ffv1", "-c:a", "pcm_s24le", path]
        try await Shell.ffmpeg(arguments)
        return path
    }

    private func peak(_ cutfarm: Cutfarm, _ arguments: [String]) async throws -> (peak: Double?, errors: String) {
        let outcome = try await cutfarm.run(["loudness", "--json"] + arguments)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        return (try WireJSON.decode(LoudnessSummary.self, from: outcome.output).truePeak, outcome.errors)
    }

    @Test func theTrackThatIsAskedForIsHeard() async throws {
        let cutfarm = try Cutfarm()
        let movie = try await movie(cutfarm)
        let listed = try await cutfarm.run(["probe", movie]).text
        #expect(listed.contains("#2 audio/1: pcm_s24le, 44100 Hz") && listed.contains("#0 video/0: "), "\(listed)")
        let usual = try await peak(cutfarm, [movie])
        #expect(abs(try #require(usual.peak) + 20) < 0.1)
        #expect(
            usual.errors.hasPrefix(
                "\(movie): note: it has audio/0 (2 channels), audio/1 (eng, 1 channel), audio/2 (6 channels); "
                    + "audio/0 is heard, and --track says another\n"
            )
        )
        for (track, wanted) in [("audio/0", -20.0), ("audio/1", -30), ("audio/2", -40)] {
            let heard = try await peak(cutfarm, [movie, "--track", track])
            #expect(abs(try #require(heard.peak) - wanted) < 0.1, "\(track)")
            #expect(!heard.errors.contains("note"), "\(heard.errors)")
        }
        let copy = cutfarm.folder.path("copy.wav")
        let read = try await cutfarm.run(["read", movie, "-o", copy, "--track", "audio/1"])
        #expect(read.exitCode == 0 && read.errors.isEmpty, "\(read.errors)")
        let source = try await Shell.ffmpeg(["-i", movie, "-map", "0:a:1", "-f", "s24le", "-"])
        #expect(try await Shell.ffmpeg(["-i", copy, "-c:a", "pcm_s24le", "-f", "s24le", "-"]) == source)
    }

    @Test func aTrackThatIsNotThereIsSaid() async throws {
        let cutfarm = try Cutfarm()
        let movie = try await movie(cutfarm)
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "a.mkv" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }] }] }
            """
        )
        let frames = cutfarm.folder.path("a.y4m")
        let cases: [([String], String)] = [
            (
                ["loudness", movie, "--track", "audio/3"],
                "--track audio/3: \(movie) has audio/0 (2 channels), audio/1 (eng, 1 channel"
            ),
            (["waveform", movie, "-o", "-", "--track", "1"], "--track 1: \(movie) has audio/0"),
            (["read", movie, "-o", frames, "--track", "audio/0"], "frames (y4m) have none; leave it out"),
            (["loudness", edit, "--track", "audio/0"], "in an edit, \"track\" of a segment says it"),
        ]
        for (arguments, words) in cases {
            let outcome = try await cutfarm.run(arguments)
            #expect(outcome.exitCode == 2 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
    }
}
