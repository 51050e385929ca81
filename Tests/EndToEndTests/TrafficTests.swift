import Foundation
import TestSupport
import Testing
import WireProtocol

/// A worker without a shared disk moves only the bytes that its segment needs.
@Suite(.serialized)
struct TrafficTests {
    @Test func tenSecondsOfTenMinutes() async throws {
        let cutfarm = try Cutfarm()
        let movie = cutfarm.folder.path("long.mp4")
        // Noise cannot be coded well: 1 GB in ten minutes.
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=10,noise=alls=100:allf=t", "-pix_fmt", "yuv420p"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "25", "-g", "25"]
                + [cutfarm.folder.path("piece.mp4")]
        )
        try await Shell.ffmpeg(
            ["-stream_loop", "59", "-i", cutfarm.folder.path("piece.mp4"), "-c", "copy", movie]
        )
        let size = try #require(try FileManager.default.attributesOfItem(atPath: movie)[.size] as? Int64)
        #expect(size > 1_000_000_000)
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "long.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "in": "300s", "duration": "10s" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        )
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let report = try await farm.wait(for: try await farm.submit(edit, ["--segments", "1"]))
        let fetched = try #require(report.pictures.first?.statistics).fetchedBytes
        #expect(report.job.state == .completed && report.pictures.count == 1)
        // Ten seconds are a sixtieth.
        #expect(fetched > size / 61 && fetched <= size * 3 / 100, "\(fetched) of \(size) bytes")
        try await farm.stop([worker])
    }
}
