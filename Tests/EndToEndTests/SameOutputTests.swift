import Foundation
import TestSupport
import Testing
import WireProtocol

/// The promise: whatever the number of segments and workers, one movie.
@Suite(.serialized)
struct SameOutputTests {
    private static func edit(rate: String) -> String {
        """
        { "schema": "edit/1",
          "format": { "size": [320, 180], "frameRate": "\(rate)", "sampleRate": 48000, "channels": 2 },
          "assets": { "a": "a.mp4", "b": "b.mp4", "c": "c.mkv" },
          "tracks": [
            { "kind": "video", "segments": [
                { "asset": "a", "in": "0.3s", "duration": "100f" },
                { "transition": "dissolve", "duration": "20f" },
                { "asset": "b", "in": "#11", "duration": "90f" },
                { "gap": "10f" },
                { "asset": "c", "duration": "60f" } ] },
            { "kind": "video", "sound": false, "segments": [
                { "gap": "30f" },
                { "transition": "dissolve", "duration": "7f" },
                { "asset": "c", "in": "1/3", "duration": "25f", "fit": "none" } ] },
            { "kind": "audio", "volume": [ { "at": "0s", "value": 0.2 }, { "at": "3s", "value": "-3dB" } ],
              "segments": [ { "asset": "b", "in": "0.5s", "duration": "5s" } ] } ],
          "outputs": [{ "preset": "lossless", "file": "out.mkv" }, { "preset": "h264", "file": "out.mp4" }] }
        """
    }

    /// Three small sources of three kinds, with sound at two rates, and the edit beside them.
    private func prepare(_ rate: String) async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        try await source(
            "a.mp4",
            "testsrc2=s=320x180:r=25:d=6",
            "sine=300:r=48000:d=6",
            ["-g", "50", "-bf", "2"],
            cutfarm
        )
        try await source("b.mp4", "mandelbrot=s=320x180:r=30000/1001", "sine=500:r=44100:d=6", ["-g", "30"], cutfarm)
        try await source("c.mkv", "testsrc=s=240x180:r=24:d=6", "sine=700:r=48000:d=6", ["-bf", "3"], cutfarm)
        return (cutfarm, try cutfarm.write("edit.json", Self.edit(rate: rate)))
    }

    private func source(
        _ name: String,
        _ picture: String,
        _ sound: String,
        _ arguments: [String],
        _ cutfarm: Cutfarm
    ) async throws {
        try await Shell.ffmpeg(
            [
                "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound, "-t", "6", "-pix_fmt", "yuv420p", "-c:v",
                "libx264",
            ]
                + ["-preset", "veryfast", "-c:a", "aac", "-ac", "2"] + arguments + [cutfarm.folder.path(name)]
        )
    }

    @Test(arguments: TestSeeds.asked(["25", "30000/1001"], usual: ["30000/1001"]))
    func losslessInAnyNumberOfSegmentsAndWorkers(rate: String) async throws {
        let (cutfarm, edit) = try await prepare(rate)
        var pictures: Set<Data> = []
        var sounds: Set<Data> = []
        for (names, some) in [(["one"], [1, 7]), (["one", "two"], [2, 31])] {
            let farm = try await TestFarm(cutfarm, "farm-\(names.count)")
            let workers = try names.map { try farm.worker($0) }
            for segments in TestSeeds.asked([1, 2, 7, 31], usual: some) {
                let movie = cutfarm.folder.path("\(names.count)-\(segments).mkv")
                let options = ["--preset", "lossless", "--segments", "\(segments)", "--watch", "-o", movie]
                let report = try await farm.show(try await farm.submit(edit, options))
                #expect(report.pictures.count == segments && report.tasks.allSatisfy { $0.state == .completed })
                #expect(segments < 31 || Set(report.shares.keys) == Set(names), "\(report.shares)")
                pictures.insert(try await Shell.ffmpeg(["-i", movie, "-map", "0:v", "-f", "framemd5", "-"]))
                let samples = ["-i", movie, "-map", "0:a", "-c:a", "pcm_s24le", "-f", "md5", "-"]
                sounds.insert(try await Shell.ffmpeg(samples))
            }
            try await farm.stop(workers)
        }
        #expect(pictures.count == 1 && sounds.count == 1)
        let lines = String(decoding: try #require(pictures.first), as: UTF8.self).split(separator: "\n")
        let digests = lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
        // All but the ten of the gap differ: a digest that sees nothing would make everything equal.
        #expect(digests.count == 240 && Set(digests).count >= 200, "\(Set(digests).count) of \(digests.count)")
        #expect(ProcessList.naming(cutfarm.folder.url.path).isEmpty)
    }

    @Test func h264IsTheSameBytesAndClean() async throws {
        let (cutfarm, edit) = try await prepare("25")
        let options = ["--preset", "h264", "--segments", "5", "--workers"]
        let one = try await cutfarm.render(edit, to: "1.mp4", options + ["1"])
        let two = try await cutfarm.render(edit, to: "2.mp4", options + ["2"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: one))
        #expect(try bytes == Data(contentsOf: URL(fileURLWithPath: two)))
        #expect(
            try #require(bytes.range(of: Data("moov".utf8))).lowerBound
                < #require(bytes.range(of: Data("mdat".utf8))).lowerBound
        )
        let decoded = try await Shell.run("ffmpeg", ["-nostdin", "-v", "warning", "-i", one, "-f", "null", "-"])
        #expect(decoded.exitCode == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
        let movie = try await ProbedMovie(one)
        // 240 frames at 25 are 9.6 s.
        #expect(movie.stream("audio").duration_ts == 460_800)
        #expect(movie.stream("video").nb_frames == "240")
        #expect(movie.stream("video").start_pts == 0 && movie.stream("audio").start_pts == 0)
        #expect(movie.widestInterleave <= 2.1)
        #expect(cutfarm.leftovers().isEmpty)
    }
}

/// What ffprobe says of a movie's streams and packets.
private struct ProbedMovie: Decodable {
    struct Stream: Decodable {
        var codec_type: String
        var start_pts: Int
        var duration_ts: Int?
        var nb_frames: String?
    }

    struct Packet: Decodable {
        var codec_type: String
        var pts_time: String
        var pos: String
    }

    var streams: [Stream]
    var packets: [Packet]

    init(_ path: String) async throws {
        let outcome = try await Shell.run(
            "ffprobe",
            ["-v", "error", "-show_streams", "-show_packets", "-of", "json", path]
        )
        self = try JSONDecoder().decode(ProbedMovie.self, from: outcome.output)
    }

    func stream(_ kind: String) -> Stream { streams.first { $0.codec_type == kind }! }

    /// Seconds by which picture and sound that lie side by side in the file are apart, at the most.
    var widestInterleave: Double {
        var latest: [String: Double] = [:]
        var widest = 0.0
        for packet in packets.sorted(by: { Int($0.pos)! < Int($1.pos)! }) {
            let time = Double(packet.pts_time)!
            latest[packet.codec_type] = max(latest[packet.codec_type] ?? time, time)
            if let picture = latest["video"], let sound = latest["audio"] { widest = max(widest, abs(picture - sound)) }
        }
        return widest
    }
}
