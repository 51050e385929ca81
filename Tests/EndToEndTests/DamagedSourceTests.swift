import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

/// Sources that can be decoded although some of their bytes are wrong: the movie is made, and its user is told.
@Suite(.serialized)
struct DamagedSourceTests {
    /// Frames 40 … 99 are damaged here and there.
    private func damagedMovie(_ name: String, in cutfarm: Cutfarm, _ codec: [String]) async throws {
        let path = cutfarm.folder.path(name)
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4"] + codec + [path])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SplitMix(state: 5)
        for part in [45, 49, 53, 57] {
            let start = bytes.count * part / 100
            for place in start..<start + 40 { bytes[place] = UInt8(random.below(256)) }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: [
        ("a.mp4", ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-crf", "12"]),
        ("a.avi", ["-c:v", "mpeg4", "-q:v", "3", "-g", "15"]),
    ])
    func whatTheDecoderGuessedIsTold(name: String, codec: [String]) async throws {
        let cutfarm = try Cutfarm()
        try await damagedMovie(name, in: cutfarm, codec)
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1", "-c:v", "libx264", cutfarm.folder.path("whole.mp4")]
        )
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "torn": "\(name)", "whole": "whole.mp4" },
              "tracks": [{ "kind": "video", "segments": [
                { "asset": "torn", "duration": "1s" }, { "asset": "whole", "duration": "1s" },
                { "asset": "torn", "in": "1s", "duration": "2s" } ] }] }
            """
        )
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let options = ["--preset", "lossless", "--segments", "2", "--watch", "-o", cutfarm.folder.path("out.mkv")]
        let outcome = try await cutfarm.run(
            ["submit", edit, "--coordinator", farm.address, "--token-file", cutfarm.folder.path("token")] + options
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let warnings = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("Warning: ") }
        // Frames 0 … 49 of the timeline, and 50 … 99 of which all show "torn" from 1 s on: told once.
        #expect(warnings.count == 1 && outcome.errors.contains(" damaged at "), "\(outcome.errors)")
        #expect(warnings.allSatisfy { $0.contains("Asset “torn”: ") })
        let id = try #require(outcome.text.split(separator: " ").first.flatMap { JobID(text: String($0)) })
        let shown = try await farm.run("show", id.description)
        #expect(warnings.allSatisfy { shown.text.contains($0) }, "\(shown.text)")
        let told = try await farm.show(id).tasks.flatMap { $0.statistics?.warnings ?? [] }
        #expect(told.map(\.code) == ["picture_concealed"] && told.allSatisfy { $0.asset != nil })
        try await farm.stop([worker])
    }
}
