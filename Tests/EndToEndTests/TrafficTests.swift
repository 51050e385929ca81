import Foundation
import Shared
import TestSupport
import Testing

/// A worker without a shared disk moves only the bytes that its segment needs.
@Suite(.serialized)
struct TrafficTests {
    private static let isThorough = ProcessInfo.processInfo.environment["CUTFARM_THOROUGH"] != nil

    @Test func tenSecondsOfTenMinutes() async throws {
        let cutfarm = try Cutfarm()
        // Noise costs what it is told to: about 300 MB or 1 GB in ten minutes.
        let rate = Self.isThorough ? "13500k" : "4000k"
        let movie = cutfarm.folder.path("long.mp4")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=10,noise=alls=100:allf=t", "-c:v", "mpeg4"]
                + ["-b:v", rate, "-minrate", rate, "-maxrate", rate, "-bufsize", "4M", "-g", "25"]
                + [cutfarm.folder.path("piece.mp4")]
        )
        try await Shell.ffmpeg(["-stream_loop", "59", "-i", cutfarm.folder.path("piece.mp4"), "-c", "copy", movie])
        let size = try #require(try FileManager.default.attributesOfItem(atPath: movie)[.size] as? Int64)
        #expect(size > 100 << 20)
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "long.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "in": "5m", "duration": "10s" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """.replacing("\"5m\"", with: "\"300s\"")
        )
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let report = try await farm.wait(for: try await farm.submit(edit))
        let fetched = try #require(report.pictures.first?.statistics).fetchedBytes
        #expect(report.job.state == .completed && report.pictures.count == 1)
        #expect(fetched > 0 && fetched <= max(size * 3 / 100, 12 << 20), "\(fetched) of \(size) bytes")
        try await farm.stop([worker])
    }
}
