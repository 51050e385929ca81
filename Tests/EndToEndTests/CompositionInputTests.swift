import Foundation
import TestSupport
import Testing

/// The canonical composition that `explain` prints is an input like any other, and is checked.
struct CompositionInputTests {
    private static let edit = """
        { "schema": "edit/1", "assets": { "a": "a.mp4" },
          "tracks": [{ "kind": "video", "id": "main", "segments": [
              { "asset": "a", "duration": "20f" }, { "transition": "dissolve", "duration": "5f" },
              { "asset": "a", "in": "#25", "duration": "20f" } ] }],
          "outputs": [{ "preset": "lossless", "file": "out.mkv" }] }
        """

    private func prepare() async throws -> (Cutfarm, edit: String, composition: [String: Any], asset: [String]) {
        let cutfarm = try Cutfarm()
        let movie = cutfarm.folder.path("a.mp4")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=2", "-f", "lavfi", "-i", "sine=440:d=2", "-c:v", "libx264"]
                + ["-c:a", "aac", movie]
        )
        let edit = try cutfarm.write("edit.json", Self.edit)
        let explained = try await cutfarm.composition(of: edit)
        let object = try JSONSerialization.jsonObject(with: Data(explained.utf8)) as? [String: Any]
        return (cutfarm, edit, try #require(object), ["--asset", "a=\(movie)"])
    }

    @Test func rendersAsItsEditDoes() async throws {
        let (cutfarm, edit, composition, asset) = try await prepare()
        let data = try JSONSerialization.data(withJSONObject: composition)
        let canonical = try cutfarm.write("composition.json", String(decoding: data, as: UTF8.self))
        let one = try await cutfarm.render(edit, to: "one.mkv", ["--workers", "1"])
        let two = try await cutfarm.render(canonical, to: "two.mkv", ["--workers", "1"] + asset)
        #expect(try Data(contentsOf: URL(fileURLWithPath: one)) == Data(contentsOf: URL(fileURLWithPath: two)))
    }

    @Test(arguments: ["hole", "overlap", "short", "track"])
    func brokenOnesAreRefused(fault: String) async throws {
        let (cutfarm, _, composition, asset) = try await prepare()
        let broken = try damaged(composition, fault)
        let data = try JSONSerialization.data(withJSONObject: broken)
        let path = try cutfarm.write("broken.json", String(decoding: data, as: UTF8.self))
        let outcome = try await cutfarm.run(["check", path] + asset)
        #expect(outcome.exitCode == 2, "\(fault): \(outcome.errors)")
        #expect(outcome.errors.contains("error:"), "\(fault): \(outcome.errors)")
    }

    private func damaged(_ composition: [String: Any], _ fault: String) throws -> [String: Any] {
        var composition = composition
        var instructions = try #require(composition["instructions"] as? [[String: Any]])
        var frames = try #require(instructions[1]["frames"] as? [String: Any])
        let (start, count) = (try #require(frames["start"] as? Int), try #require(frames["count"] as? Int))
        switch fault {
        case "hole": frames["start"] = start + 1
        case "overlap": frames["start"] = start - 1
        case "short": instructions.removeLast()
        default:
            var layers = try #require(instructions[1]["layers"] as? [[String: Any]])
            layers[0]["track"] = "nowhere"
            instructions[1]["layers"] = layers
        }
        if fault == "hole" { frames["count"] = count - 1 }
        instructions[1]["frames"] = frames
        composition["instructions"] = instructions
        return composition
    }
}
