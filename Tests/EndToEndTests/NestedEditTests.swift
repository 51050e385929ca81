import Foundation
import TestSupport
import Testing

/// Edits in edits by the programs that users run.
@Suite(.serialized) struct NestedEditTests {
    private static let inner = """
        { "schema": "edit/1", "format": { "size": [160, 90], "frameRate": "25", "sampleRate": 48000 },
          "params": { "color": { "type": "color", "default": "#102030" } },
          "assets": { "p": { "generate": "pattern", "duration": "4s" },
                      "s": { "generate": "solid", "color": { "$param": "color" } } },
          "tracks": [
            { "kind": "video", "segments": [
                { "asset": "p", "duration": "50f" }, { "transition": "wipe", "duration": "10f" },
                { "asset": "s", "duration": "40f" } ] },
            { "kind": "title", "segments": [
                { "text": "Part", "at": "10f", "duration": "30f", "font": { "family": "Noto Sans" },
                  "enter": "rise" } ] } ] }
        """

    private func outer(_ use: String) -> String {
        """
        { "schema": "edit/1", "format": { "size": [160, 90], "frameRate": "25", "sampleRate": 48000 },
          "assets": { "part": \(use) },
          "tracks": [{ "kind": "video", "segments": [{ "asset": "part" }] }] }
        """
    }

    private func frames(_ movie: String) async throws -> Data {
        try await Shell.ffmpeg(["-i", movie, "-map", "0:v", "-f", "framemd5", "-"])
    }

    @Test func aFarmRendersWhatTheEditIsByItself() async throws {
        let cutfarm = try Cutfarm()
        try FileManager.default.createDirectory(
            atPath: cutfarm.folder.path("parts"),
            withIntermediateDirectories: true
        )
        let part = try cutfarm.write("parts/part.json", Self.inner)
        let outer = try cutfarm.write(
            "edit.json",
            outer(##"{ "edit": "parts/part.json", "params": { "color": "#a02030" } }"##)
        )
        let alone = try await cutfarm.render(
            part,
            to: "alone.mkv",
            ["--preset", "lossless", "--param", "color=#a02030"]
        )
        let nested = try await cutfarm.render(outer, to: "nested.mkv", ["--preset", "lossless", "--segments", "3"])
        #expect(try await frames(alone) == frames(nested))
        let plain = try await cutfarm.render(part, to: "plain.mkv", ["--preset", "lossless"])
        #expect(try await frames(alone) != frames(plain))
        // At another rate it is put together by itself; each frame is one of its own.
        let faster = try cutfarm.write(
            "faster.json",
            self.outer(#"{ "edit": "parts/part.json" }"#).replacing("25", with: "50")
        )
        let doubled = try await cutfarm.render(faster, to: "doubled.mkv", ["--preset", "lossless", "--segments", "2"])
        let every = try await Shell.ffmpeg(
            ["-i", doubled, "-vf", "select='not(mod(n,2))',setpts=N/25/TB", "-r", "25"]
                + ["-f", "framemd5", "-"]
        )
        func digests(_ data: Data) -> [Substring] {
            String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
                .compactMap { $0.split(separator: ",").last }
        }
        #expect(digests(every) == digests(try await frames(plain)))
        let composition = try await cutfarm.composition(of: outer)
        #expect(composition.contains("\"nested\""))
    }

    @Test func whatIsWrongInsideIsSaidWithItsPlace() async throws {
        let cutfarm = try Cutfarm()
        _ = try cutfarm.write("b.json", outer(#"{ "edit": "a.json" }"#))
        let circle = try cutfarm.write("a.json", outer(#"{ "edit": "b.json" }"#))
        let refused = try await cutfarm.run(["check", circle])
        #expect(refused.exitCode == 2 && refused.errors.contains("a.json → b.json → a.json"), "\(refused.errors)")
        _ = try cutfarm.write("b.json", Self.inner.replacing(#""duration": "50f""#, with: #""duration": "500f""#))
        let long = try await cutfarm.run(["check", circle])
        #expect(long.exitCode == 2 && long.errors.contains("b.json:7:"), "\(long.errors)")
        let render = try await cutfarm.run(["render", circle, "-o", cutfarm.folder.path("o.mp4")])
        #expect(render.exitCode == 2 && render.errors.contains("b.json:7:"), "\(render.errors)")
        _ = try cutfarm.write("b.json", Self.inner.replacing("Noto Sans", with: "Noto Sanz"))
        let font = try await cutfarm.run(["check", circle])
        #expect(font.exitCode == 2 && font.errors.contains("b.json:10:"), "\(font.errors)")
    }
}
