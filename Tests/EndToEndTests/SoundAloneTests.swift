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

    /// Presets of sound leave the picture out; each file has every sample and no more.
    @Test(arguments: [("mp3", "mp3"), ("opus", "opus"), ("flac", "flac"), ("wav-float", "wav"), ("alac", "m4a")])
    func presetsOfSoundAlone(preset: String, ending: String) async throws {
        let cutfarm = try Cutfarm()
        let source = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", "-f", "lavfi", "-i", "sine=440:r=48000:d=2"]
        try await Shell.ffmpeg(source + ["-c:v", "ffv1", "-c:a", "pcm_s16le", cutfarm.folder.path("a.mkv")])
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "a.mkv" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "37f" }] }] }
            """
        )
        let file = try await cutfarm.render(edit, to: "out." + ending, ["--preset", preset])
        let heard = try await Shell.ffmpeg(["-i", file, "-f", "s16le", "-"])
        #expect(heard.count == 37 * 1920 * 2)
        let types = ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", file]
        #expect(try await Shell.run("ffprobe", types).text == "audio\n")
    }

    /// The noise of a sample is that of its place, whatever packets and parts of the output it is in.
    @Test func ditherIsTheSameInEveryLosslessFile() async throws {
        let cutfarm = try Cutfarm()
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "sine=440:r=48000:d=8", "-c:a", "pcm_f32le", cutfarm.folder.path("tone.wav")]
        )
        func samples(_ dither: String, _ options: [String]) async throws -> [Data] {
            let folder = cutfarm.folder.path("out")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let names = ["a.wav", "a.flac", "a.m4a"]
            let outputs = zip(["wav", "flac", "alac"], names).map { preset, name in
                #"{ "preset": "\#(preset)", "file": "\#(name)"\#(dither) }"#
            }
            let edit = try cutfarm.write(
                "edit.json",
                """
                { "schema": "edit/1",
                  "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
                  "assets": { "tone": "tone.wav" },
                  "tracks": [{ "kind": "audio", "segments": [{ "asset": "tone" }] }],
                  "outputs": [\(outputs.joined(separator: ", "))] }
                """
            )
            _ = try await cutfarm.render(edit, to: "out", ["--force"] + options)
            var heard: [Data] = []
            for name in names { heard.append(try await Shell.ffmpeg(["-i", folder + "/" + name, "-f", "s24le", "-"])) }
            return heard
        }
        let dither = #", "dither": "triangular""#
        let whole = try await samples(dither, [])
        #expect(Set(whole).count == 1 && whole[0].count == 8 * 48_000 * 6)
        #expect(try await samples("", []) != whole)
        let part = try await samples(dither, ["--range", "31f", "60f"])
        #expect(Set(part).count == 1 && part[0] == whole[0][31 * 1920 * 6..<91 * 1920 * 6])
    }

    /// What is read is the file that the preset makes, head included.
    @Test(arguments: [1, 2, 6]) func readingIsRenderingToWAV(channels: Int) async throws {
        let cutfarm = try Cutfarm()
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "format": { "frameRate": "30000/1001", "channels": \(channels) },
              "assets": { "a": { "generate": "noise", "channels": \(channels) } },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "a", "duration": "4805@48000" }] }] }
            """
        )
        let read = cutfarm.folder.path("read.wav")
        let made = try await cutfarm.render(edit, to: "made.wav", ["--preset", "wav"])
        #expect(try await cutfarm.run(["read", edit, "-o", read]).exitCode == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: read))
        #expect(bytes == (try Data(contentsOf: URL(fileURLWithPath: made))) && bytes.count > 4805 * 3 * channels)
    }

    /// A device and a named pipe are written straight to.
    @Test func readingToADeviceOrANamedPipe() async throws {
        let cutfarm = try Cutfarm()
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": { "generate": "noise" } },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "a", "duration": "1s" }] }] }
            """
        )
        let device = try await cutfarm.run(["read", edit, "-o", "/dev/null", "--format", "wav"])
        #expect(device.exitCode == 0, "\(device.errors)")
        let (pipe, copy, file) = (
            cutfarm.folder.path("pipe"), cutfarm.folder.path("copy"), cutfarm.folder.path("a.wav")
        )
        #expect(mkfifo(pipe, 0o600) == 0)
        async let reader = Shell.run("/bin/sh", ["-c", "cat '\(pipe)' > '\(copy)'"])
        #expect(try await cutfarm.run(["read", edit, "-o", pipe, "--format", "wav"]).exitCode == 0)
        #expect(try await reader.exitCode == 0)
        #expect(try await cutfarm.run(["read", edit, "-o", file]).exitCode == 0)
        #expect(FileManager.default.contentsEqual(atPath: copy, andPath: file))
    }

    /// Music of 44.1 kHz, whose rate Opus does not have.
    @Test func opusIsMadeOfAnySource() async throws {
        let cutfarm = try Cutfarm()
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "sine=440:r=44100:d=2", cutfarm.folder.path("a.wav")])
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "a.wav" },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "a" }] }] }
            """
        )
        let file = try await cutfarm.render(edit, to: "out.opus", ["--preset", "opus"])
        #expect(try await Shell.ffmpeg(["-i", file, "-f", "s16le", "-"]).count == 96_000 * 2)
    }

    /// Music that is too short is repeated to the last sample of the picture.
    @Test func aLoopEndsWithThePicture() async throws {
        let cutfarm = try Cutfarm()
        let (source, movie) = (cutfarm.folder.path("noise.wav"), cutfarm.folder.path("a.mkv"))
        let noise = "anoisesrc=r=48000:a=0.4:seed=3:d=0.7"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", noise, "-ac", "2", "-c:a", "pcm_s24le", source])
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", "-c:v", "ffv1", movie])
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "a.mkv", "noise": "noise.wav" },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "noise", "loop": "picture" }] },
                         { "kind": "video", "segments": [{ "asset": "a", "range": ["1s", "11f"], "loop": 7 }] }] }
            """
        )
        let file = try await cutfarm.render(edit, to: "out.mkv", ["--preset", "lossless"])
        let heard = try await Shell.ffmpeg(["-i", file, "-f", "s24le", "-"])
        let looped = ["-stream_loop", "9", "-i", source, "-af", "atrim=end_sample=\(77 * 1920)", "-f", "s24le", "-"]
        #expect(heard.count == 77 * 1920 * 6)
        #expect(heard == (try await Shell.ffmpeg(looped)))
        let frames = try await Shell.ffmpeg(["-i", file, "-f", "framemd5", "-"]).split(separator: 10)
        let digests = frames.map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("0,") }
            .compactMap { $0.split(separator: ",").last }
        #expect(digests.count == 77 && Set(digests).count > 4)
        #expect(digests.indices.dropFirst(11).allSatisfy { digests[$0] == digests[$0 - 11] })
    }

    /// An edit of 5.1: a voice in the middle, music at the sides, and what the clip says of its channels.
    @Test func surround() async throws {
        let cutfarm = try Cutfarm()
        let source = cutfarm.folder.path("music.wav")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "aevalsrc='0.25|-0.5':s=48000:d=1:c=stereo", "-c:a", "pcm_s24le", source]
        )
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "format": { "channels": "5.1", "sampleRate": 48000 },
              "assets": { "music": "music.wav", "voice": { "generate": "tone", "level": "-6dB", "duration": "1s" } },
              "tracks": [{ "kind": "audio", "segments": [{ "asset": "voice" }] },
                         { "kind": "audio", "segments": [{ "asset": "music", "duration": "0.5s" },
                           { "asset": "music", "duration": "0.5s", "channels": ["none", "none", "none", "none", 1, 0] }] }] }
            """
        )
        for (name, preset) in [("a.wav", "wav"), ("a.flac", "flac"), ("a.m4a", "h264")] {
            let file = try await cutfarm.render(edit, to: name, ["--preset", preset])
            let layout = ["-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0", file]
            #expect(try await Shell.run("ffprobe", layout).text.hasPrefix("5.1"))
            guard preset != "h264" else { continue }
            let heard = try await Shell.ffmpeg(["-i", file, "-f", "f32le", "-"])
            let samples = heard.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            #expect(samples.count == 6 * 48_000)
            func channel(_ number: Int, at sample: Int) -> Float { samples[6 * sample + number] }
            let places = [1000, 40_000]
            #expect(places.map { channel(0, at: $0) } == [0.25, 0] && places.map { channel(1, at: $0) } == [-0.5, 0])
            #expect(places.map { channel(4, at: $0) } == [0, -0.5] && places.map { channel(5, at: $0) } == [0, 0.25])
            let middle = (0..<48_000).map { channel(2, at: $0) }
            #expect((middle.max() ?? 0) > 0.5 && (0..<48_000).allSatisfy { channel(3, at: $0) == 0 })
        }
    }

    private func streams(of movie: String) async throws -> String {
        let arguments = ["-v", "error", "-show_entries", "stream=codec_type,duration_ts", "-of", "csv=p=0", movie]
        return try await Shell.run("ffprobe", arguments).text
    }
}
