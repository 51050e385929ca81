import Foundation
import TestSupport
import Testing
import WireProtocol

/// A worker without a shared disk moves only the bytes that its segment needs.
@Suite(.serialized)
struct TrafficTests {
    @Test(arguments: TestSeeds.asked([2, 10], usual: [2])) func tenSecondsOfSomeMinutes(minutes: Int) async throws {
        let cutfarm = try Cutfarm()
        let movie = cutfarm.folder.path("long.mp4")
        // Noise cannot be coded well: 1 GB in ten minutes.
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=10,noise=alls=100:allf=t", "-pix_fmt", "yuv420p"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "25", "-g", "25"]
                + [cutfarm.folder.path("piece.mp4")]
        )
        try await Shell.ffmpeg(
            ["-stream_loop", "\(minutes * 6 - 1)", "-i", cutfarm.folder.path("piece.mp4"), "-c", "copy", movie]
        )
        let size = try #require(try FileManager.default.attributesOfItem(atPath: movie)[.size] as? Int64)
        #expect(size > Int64(minutes) * 100_000_000)
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "long.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "in": "\(minutes * 30)s", "duration": "10s" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        )
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let report = try await farm.wait(for: try await farm.submit(edit, ["--segments", "1"]))
        let fetched = try #require(report.pictures.first?.statistics).fetchedBytes
        #expect(report.job.state == .completed && report.pictures.count == 1)
        // Ten seconds, and at the most 14 MB of blocks around them and of the file's tables.
        let share = size / Int64(minutes * 6)
        #expect(fetched > share - share / 60 && fetched <= share + 14_000_000, "\(fetched) of \(size) bytes")
        try await farm.stop([worker])
    }
}
