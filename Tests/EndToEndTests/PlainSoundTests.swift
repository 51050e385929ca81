import Foundation
import TestSupport
import Testing
import WireProtocol

/// `read`, `loudness` and `waveform` of a file: all of its channels, exactly its samples.
struct PlainSoundTests {
    private struct Numbers: Decodable {
        var channels: Int
        var samples: Int64
        var levels: [Level]

        struct Level: Decodable {
            var rms: Double?
        }
    }

    /// Noise of 24 bits, in each channel louder than in the one before it.
    private func noise(_ name: String, _ layout: String, _ channels: Int, _ cutfarm: Cutfarm) async throws -> String {
        let path = cutfarm.folder.path(name)
        let signals = (0..<channels).map { "\(Double($0 + 1) / 40)*(2*random(\($0))-1)" }.joined(separator: "|")
        let source = "aevalsrc='\(signals)':c=\(layout):s=48000:d=5"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", source, "-c:a", "pcm_s24le", path])
        return path
    }

    /// LUFS by FFmpeg's meter.
    private func judged(_ path: String) async throws -> Double {
        let filter = "ebur128=framelog=verbose"
        let arguments = ["-nostdin", "-hide_banner", "-i", path, "-af", filter, "-f", "null", "-"]
        let text = try await Shell.run("ffmpeg", arguments).errors
        let line = text.split(separator: "\n").last { $0.contains(" I:") && $0.contains("LUFS") }
        return try #require(line?.split(separator: " ").compactMap { Double($0) }.first, "\(text)")
    }

    private func decoded(_ path: String) async throws -> Data {
        try await Shell.ffmpeg(["-i", path, "-c:a", "pcm_s24le", "-f", "s24le", "-"])
    }

    private func layout(_ path: String) async throws -> String {
        let entries = ["-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0", path]
        return try await Shell.run("ffprobe", entries).text
    }

    @Test(arguments: [("5.1", 6), ("5.1(side)", 6), ("7.1", 8), ("4.0", 4), ("3.0", 3), ("6.1", 7), ("7.1(wide)", 8)])
    func aFileHasItsOwnChannels(name: String, channels: Int) async throws {
        let cutfarm = try Cutfarm()
        let sound = try await noise("a.wav", name, channels, cutfarm)
        let wanted = try await judged(sound)
        let measured = try await cutfarm.run(["loudness", sound, "--json"])
        #expect(measured.exitCode == 0, "\(measured.errors)")
        let summary = try WireJSON.decode(LoudnessSummary.self, from: measured.output)
        #expect(abs(try #require(summary.integrated) - wanted) <= 0.1, "\(wanted)")

        let drawn = try await cutfarm.run(["waveform", sound, "-o", "-"])
        let numbers = try JSONDecoder().decode(Numbers.self, from: drawn.output)
        #expect(numbers.channels == channels && numbers.samples == 240_000)
        let levels = numbers.levels.compactMap(\.rms)
        #expect(levels.count == channels && zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 }, "\(levels)")

        let copy = cutfarm.folder.path("copy.wav")
        #expect(try await cutfarm.run(["read", sound, "-o", copy]).exitCode == 0)
        #expect(try await decoded(copy) == decoded(sound))
        #expect(try await layout(copy) == layout(sound))
    }

    /// Beside a picture too; and of one with more channels than are heard the pictures are still handed out.
    @Test func aMovieHasItsOwnChannels() async throws {
        let cutfarm = try Cutfarm()
        let (movie, wide) = (cutfarm.folder.path("a.mov"), cutfarm.folder.path("wide.mov"))
        let sound = try await noise("a.wav", "5.1", 6, cutfarm)
        let picture = ["-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=5"]
        try await Shell.ffmpeg(picture + ["-i", sound, "-c:a", "pcm_s24le", movie])
        let copy = cutfarm.folder.path("copy.wav")
        let outcome = try await cutfarm.run(["read", movie, "-o", copy])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try await decoded(copy) == decoded(sound))

        let twelve = (0..<12).map { _ in "0.1*sin(t)" }.joined(separator: "|")
        let source = ["-f", "lavfi", "-i", "aevalsrc='\(twelve)':s=48000:d=5"]
        try await Shell.ffmpeg(picture + source + ["-c:a", "pcm_s16le", wide])
        for arguments in [["loudness", wide], ["waveform", wide, "-o", "-"], ["read", wide, "-o", copy, "--force"]] {
            let refused = try await cutfarm.run(arguments)
            #expect(refused.exitCode == 2, "\(arguments)")
            #expect(refused.errors.contains("has 12 channels of sound, and at most 8 are heard as they are"))
            #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
        }
        let frames = try await cutfarm.run(["read", wide, "-o", cutfarm.folder.path("a.y4m")])
        #expect(frames.exitCode == 0, "\(frames.errors)")
    }

    @Test(arguments: [(1, 48_000), (47_999, 48_000), (48_000, 48_000), (12_345, 44_100)])
    func aFileHasItsOwnSamples(count: Int, rate: Int) async throws {
        let cutfarm = try Cutfarm()
        let (sound, copy) = (cutfarm.folder.path("a.wav"), cutfarm.folder.path("copy.wav"))
        let source = "anoisesrc=r=\(rate):seed=3:d=2,atrim=end_sample=\(count)"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", source, "-c:a", "pcm_s24le", sound])
        let outcome = try await cutfarm.run(["read", sound, "-o", copy])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let own = try await decoded(sound)
        #expect(own.count == 3 * count)
        #expect(try await decoded(copy) == own)
        let measured = try await cutfarm.run(["loudness", sound, "--json"])
        #expect(try WireJSON.decode(LoudnessSummary.self, from: measured.output).sampleCount == Int64(count))
        let drawn = try await cutfarm.run(["waveform", sound, "-o", "-"])
        #expect(try JSONDecoder().decode(Numbers.self, from: drawn.output).samples == Int64(count))
    }

    /// Also between frames: what a range says is rounded to samples alone.
    @Test func aRangeOfAFileIsItsSamples() async throws {
        let cutfarm = try Cutfarm()
        let (sound, copy) = (cutfarm.folder.path("a.wav"), cutfarm.folder.path("copy.wav"))
        let source = "anoisesrc=r=44100:seed=3:d=2"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", source, "-c:a", "pcm_s24le", sound])
        let own = try await decoded(sound)
        for (range, first, count) in [
            (["1001@44100", "333@44100"], 1001, 333), (["0.0001s", "1s"], 4, 44_100), (["1.9s", "0.1s"], 83_790, 4410),
        ] {
            let outcome = try await cutfarm.run(["read", sound, "-o", copy, "--force", "--range"] + range)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(try await decoded(copy) == own[3 * first..<3 * (first + count)], "\(range)")
            let drawn = try await cutfarm.run(["waveform", sound, "-o", "-", "--range"] + range)
            #expect(try JSONDecoder().decode(Numbers.self, from: drawn.output).samples == Int64(count))
        }
        let short = try await cutfarm.run(["read", sound, "-o", copy, "--force", "--range", "1s", "0.00001s"])
        #expect(short.exitCode == 2 && short.errors.contains("--range is shorter than a sample of"), "\(short.errors)")
    }
}
