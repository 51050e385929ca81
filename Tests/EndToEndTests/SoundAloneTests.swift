import Foundation
import TestSupport
import Testing

/// An edit without any picture: a movie of sound alone, with every sample of it.
struct SoundAloneTests {
    @Test func everySampleArrives() async throws {
        let cutfarm = try Cutfarm()
        let source = cutfarm.folder.path("tone.wav")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "sine=440:r=48000:d=5", "-ac", "2", "-c:a", "pcm_s24le", source]
        )
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1",
              "format": { "size": [320, 180], "frameRate": "30000/1001", "sampleRate": 48000, "channels": 2 },
              "assets": { "tone": "tone.wav" },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "tone", "in": "12345@48000", "duration": "90f" }] }],
              "outputs": [{ "preset": "lossless" }, { "preset": "h264" }] }
            """
        )
        // 90 frames of 1001/30000 s are 144144 samples.
        let archive = try await cutfarm.render(edit, to: "out.mkv", ["--preset", "lossless"])
        let heard = try await Shell.ffmpeg(["-i", archive, "-f", "s24le", "-"])
        let trim = "atrim=start_sample=12345:end_sample=\(12345 + 144_144)"
        #expect(heard == (try await Shell.ffmpeg(["-i", source, "-af", trim, "-f", "s24le", "-"])))
        #expect(heard.count == 144_144 * 2 * 3 && Set(heard.prefix(3000)).count > 100)

        let movie = try await cutfarm.render(edit, to: "out.m4a", ["--preset", "h264"])
        #expect(try await streams(of: movie) == "audio,144144\n")
        #expect(try await streams(of: archive).hasPrefix("audio,"))
        #expect(cutfarm.leftovers().isEmpty)
    }

    private func streams(of movie: String) async throws -> String {
        let arguments = ["-v", "error", "-show_entries", "stream=codec_type,duration_ts", "-of", "csv=p=0", movie]
        return try await Shell.run("ffprobe", arguments).text
    }
}
