import Foundation
import TestSupport
import Testing
import WireProtocol

/// `Examples/fifteen-seconds.json` through farms, with footage of the test's own in place of the example's.
@Suite(.serialized, .enabled(if: RandomMedia.hasFonts, "DejaVu and Noto fonts are needed"))
struct FifteenSecondsTests {
    private static let edit = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples/fifteen-seconds.json").path

    /// Ffmpeg's arguments for each parameter of the example.
    private static let media: [(parameter: String, file: String, arguments: [String])] = {
        let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
        func lavfi(_ graph: String) -> [String] { ["-f", "lavfi", "-i", graph] }
        return [
            ("harbour", "harbour.mp4", lavfi("testsrc2=s=1280x720:r=25:d=8") + h264 + ["-g", "250"]),
            ("market", "market.mp4", lavfi("testsrc=s=640x360:r=25:d=8") + h264 + ["-g", "50", "-bf", "2"]),
            ("lights", "lights.mp4", lavfi("mandelbrot=s=320x180:r=25") + ["-t", "8"] + h264 + ["-bf", "3"]),
            ("logo", "logo.png", lavfi("testsrc2=s=90x90,format=rgba,colorchannelmixer=aa=0.8") + ["-frames:v", "1"]),
            ("music", "music.m4a", lavfi("anoisesrc=r=44100:a=0.3:seed=5:d=16") + ["-ac", "2", "-c:a", "aac"]),
            ("voice", "voice.m4a", lavfi("sine=300:r=48000:d=5") + ["-c:a", "aac"]),
        ]
    }()

    private func prepare() async throws -> (Cutfarm, [String]) {
        let cutfarm = try Cutfarm()
        var options: [String] = []
        for (parameter, file, arguments) in Self.media {
            let path = cutfarm.folder.path(file)
            try await Shell.ffmpeg(arguments + [path])
            options += ["--param", "\(parameter)=\(path)"]
        }
        return (cutfarm, options)
    }

    @Test func anyFarmMakesTheSameFifteenSeconds() async throws {
        let (cutfarm, parameters) = try await prepare()
        let lossless = parameters + ["--preset", "lossless"]
        let one = try await cutfarm.render(Self.edit, to: "one.mkv", lossless + ["--segments", "1", "--workers", "1"])
        let frames = try await frames(one)
        let samples = try await samples(one)
        #expect(frames.count == 375 && Set(frames).count > 300)
        // 15 s of two channels of 24 bits at 48 kHz.
        #expect(samples.count == 15 * 48_000 * 6 && Set(samples.prefix(2_000_000)).count > 200)
        var movies: Set<Data> = []
        // Divided by the grid for one worker, and into eleven for three.
        let farms = [(["a"], []), (["b", "c", "d"], ["--segments", "11"])]
        for (names, segments) in TestSeeds.asked(farms, usual: [farms[1]]) {
            let farm = try await TestFarm(cutfarm, "farm-\(names.count)")
            let workers = try names.map { try farm.worker($0) }
            let movie = cutfarm.folder.path("\(names.count).mkv")
            let id = try await farm.submit(Self.edit, lossless + segments + ["--watch", "-o", movie])
            let report = try await farm.show(id)
            #expect(segments.isEmpty ? report.pictures.count > 1 : report.pictures.count == 11)
            #expect(Set(report.shares.keys) == Set(names), "\(report.shares)")
            #expect(try await self.frames(movie) == frames)
            #expect(try await self.samples(movie) == samples)
            let own = cutfarm.folder.path("\(names.count).mp4")
            _ = try await farm.submit(Self.edit, parameters + ["--watch", "-o", own])
            movies.insert(try Data(contentsOf: URL(fileURLWithPath: own)))
            try await farm.stop(workers)
        }
        // The example's own output, H.264 and AAC.
        #expect(movies.count == 1)
        let own = cutfarm.folder.path("3.mp4")
        #expect(try await entries(own, "v") == ["1280", "720", "25/1", "15.000000", "375"])
        #expect(try await entries(own, "a") == ["48000", "2", "15.000000"])
    }

    /// SHA-256 of every decoded frame.
    private func frames(_ movie: String) async throws -> [Substring] {
        let lines = try await Shell.ffmpeg(["-i", movie, "-map", "0:v", "-f", "framehash", "-hash", "sha256", "-"])
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: " ").last
        }
    }

    private func samples(_ movie: String) async throws -> Data {
        try await Shell.ffmpeg(["-i", movie, "-map", "0:a", "-c:a", "pcm_s24le", "-f", "s24le", "-"])
    }

    /// Size, rate, duration and number of frames, or sample rate, channels and duration.
    private func entries(_ movie: String, _ stream: String) async throws -> [String] {
        let names = stream == "v" ? "width,height,r_frame_rate,duration,nb_frames" : "sample_rate,channels,duration"
        let arguments = ["-v", "error", "-select_streams", stream, "-show_entries", "stream=" + names]
        let text = try await Shell.run("ffprobe", arguments + ["-of", "csv=p=0", movie]).text
        return text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",").map(String.init)
    }
}
