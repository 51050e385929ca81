import Foundation
import TestSupport
import Testing

/// The same bytes from a processor that has nothing but x86-64's first instructions, or seems so: libav's and x264's
/// vectors, glibc's variants and pixman's are switched off in the render child (`CUTFARM_CPU=plain`).
@Suite(.serialized, .enabled(if: RandomMedia.hasFonts, "DejaVu and Noto fonts are needed"))
struct PlainProcessorTests {
    /// Everything in which a library could choose by processor: decoding and scaling of several formats, light by HLG,
    /// effects, transitions, curved paths, round joins and blurred shadows of titles, resampled sound, both encoders.
    private static let everything = ##"""
        { "schema": "edit/1",
          "format": { "size": [318, 182], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
          "assets": { "plain": "plain.mp4", "ntsc": "ntsc.mkv", "bright": "bright.mkv", "clear": "clear.mov",
                      "deep": "deep.mp4", "woven": "woven.ts", "photo": "photo.jpg", "music": "music.m4a" },
          "tracks": [
            { "kind": "video", "segments": [
              { "asset": "plain", "duration": "12f", "fit": "cover",
                "effects": [{ "effect": "blur", "radius": 2.7 }, { "effect": "sepia", "amount": 0.4 }] },
              { "transition": "zoom", "duration": "5f", "ease": "inOutSine" },
              { "asset": "bright", "duration": "13f", "rotateY": 31, "effects": [{ "effect": "dropShadow" }] },
              { "transition": "iris", "shape": "heart", "duration": "5f", "softness": 0.2 },
              { "asset": "ntsc", "duration": "12f", "speed": "-3/2", "effects": [{ "effect": "exposure", "stops": 0.7 }] },
              { "transition": "blur", "duration": "5f" },
              { "asset": "woven", "duration": "14f", "crop": ["5%", 7.5, "5%", 3] } ] },
            { "kind": "video", "rotate": [{ "at": "0s", "value": -9 }, { "at": "2s", "value": 14, "ease": "outElastic" }],
              "segments": [
                { "asset": "clear", "duration": "18f", "scale": 0.8, "blend": "soft-light" },
                { "asset": "deep", "duration": "12f", "fit": "none", "opacity": 0.6,
                  "effects": [{ "effect": "chromaKey", "color": "#2060c0" }, { "effect": "roundedCorners", "radius": 9 }] },
                { "asset": "photo", "duration": "6f", "skew": [12, -7], "blend": "luminosity" } ] },
            { "kind": "title", "segments": [
              { "text": "Round joins", "duration": "20f", "font": { "size": "24%", "weight": "bold" }, "enter": "pop",
                "outline": { "width": 7.5, "color": "#203080" }, "shadow": { "blur": 3.3 },
                "box": { "background": { "color": "#80402080", "radius": 11.7, "padding": 6 } } },
              { "duration": "19f", "layers": [
                { "layer": "shape", "shape": "ellipse", "size": [141.7, 93.1], "color": "#ffd070c0",
                  "rotate": [{ "at": "0s", "value": 0 }, { "at": "19f", "value": 77, "ease": "inOutBack" }] },
                { "layer": "text", "text": "नमस्ते مرحبا 🎬", "font": { "size": "15%" }, "outline": { "width": 1.3 } } ] } ] },
            { "kind": "audio", "volume": "-4dB", "segments": [{ "asset": "music", "duration": "30f" }] } ],
          "outputs": [{ "preset": "lossless" }] }
        """##

    @Test func bytesAreTheSameWithoutVectors() async throws {
        let cutfarm = try Cutfarm()
        try await RandomMedia.make(in: cutfarm.folder.url.path)
        let edits = [("everything", Self.everything)] + [16, 19].map { ("seed-\($0)", RandomEdit(seed: $0).text) }
        for (name, text) in edits {
            let edit = try cutfarm.write(name + ".json", text)
            for (preset, ending) in [("lossless", "mkv"), ("h264", "mp4")] {
                let arguments = [edit, "--preset", preset, "--segments", "2", "--workers", "1"]
                let usual = try await render(arguments, "\(name)-usual.\(ending)", [], cutfarm)
                let plain = try await render(arguments, "\(name)-plain.\(ending)", ["CUTFARM_CPU=plain"], cutfarm)
                #expect(usual.count > 20_000 && usual == plain, "\(name) \(preset)")
            }
        }
    }

    private func render(
        _ arguments: [String],
        _ name: String,
        _ environment: [String],
        _ cutfarm: Cutfarm
    ) async throws -> Data {
        let path = cutfarm.folder.path(name)
        let outcome = try await Shell.run(
            "env",
            environment + [Programs.cutfarm, "render"] + arguments + [
                "-o", path, "--state", cutfarm.folder.path(name + "-state"),
            ]
        )
        guard outcome.exitCode == 0 else { throw Unexpected(description: "render: \(outcome.errors)") }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }
}
