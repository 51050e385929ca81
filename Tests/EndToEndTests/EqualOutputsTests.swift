import Foundation
import Shared
import TestSupport
import Testing

/// Outputs that come out the same are made by one job.
@Suite(.serialized)
struct EqualOutputsTests {
    @Test func aSmallEditIsRenderedOnceForAllItsSizes() async throws {
        let cutfarm = try Cutfarm()
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=1", "-c:v", "libx264", cutfarm.folder.path("a.mp4")]
        )
        let outputs = ["h264", "h264-480p", "lossless", "h264-720p"].enumerated().map { number, preset in
            #"{ "preset": "\#(preset)", "file": "\#(number).\#(preset == "lossless" ? "mkv" : "mp4")" }"#
        }
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }] }], "outputs": [\(outputs.joined(separator: ","))] }
            """
        )
        let folder = cutfarm.folder.path("out")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        _ = try await farm.submit(edit, ["--watch", "-o", folder])
        let listed = try WireJSON.decode([JobView].self, from: try await farm.run("jobs", "--json").output)
        #expect(listed.count == 2 && listed.allSatisfy { $0.state == .completed }, "one for H.264, one lossless")
        let movies = try ["0.mp4", "1.mp4", "3.mp4", "2.mkv"].map {
            try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))
        }
        #expect(Set(movies).count == 2 && Set(movies.prefix(3)).count == 1)
        try await farm.stop([worker])
    }
}
