import Foundation
import TestSupport
import Testing
import WireProtocol

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

    /// Everything that computes with sound: decoders, resampling, speeds, stretching, each processor, ducking and curves,
    /// the measuring of a loudness and its limiter, and the encoders.
    private static let sound = ##"""
        { "schema": "edit/1",
          "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
          "assets": { "music": "music.m4a", "voice": "voice.wav", "plain": "plain.mp4", "around": "around.mkv" },
          "master": {
            "processors": [
              { "processor": "equalizer", "bands": [
                { "band": "peak", "frequency": 800, "gain": 5, "quality": 2 },
                { "band": "highShelf", "frequency": 4000, "gain": -3 } ] },
              { "processor": "compressor", "release": "0.05s" }, { "processor": "limiter", "ceiling": -3 } ],
            "loudness": { "target": "-16LUFS", "truePeak": "-1.5dB" } },
          "tracks": [
            { "kind": "audio", "id": "music", "duck": { "under": "voice", "by": "-9dB", "threshold": "-30dB" },
              "volume": [{ "at": "0s", "value": 0.2 }, { "at": "3s", "value": "-2dB", "ease": "inOutSine" }],
              "processors": [{ "processor": "reverb", "decay": "0.6s" }, { "processor": "noiseReduction" }],
              "segments": [
                { "asset": "music", "duration": "3s", "speed": "6/5", "pitch": "keep" },
                { "transition": "dissolve", "duration": "10f" },
                { "asset": "music", "in": "4s", "duration": "2s",
                  "speed": [{ "at": "0s", "value": 1 }, { "at": "1s", "value": 0.5, "ease": "inOutSine" }],
                  "pitch": "keep" },
                { "asset": "around", "duration": "2s", "pan": [{ "at": "0s", "value": -0.7 }, { "at": "1s", "value": 0.6 }] }
              ] },
            { "kind": "audio", "id": "voice", "processors": [{ "processor": "gate", "threshold": -40 }], "segments": [
                { "asset": "voice", "duration": "2s", "processors": [{ "processor": "highPass", "frequency": 200, "order": 3 }] },
                { "asset": "voice", "in": "2s", "duration": "2s", "speed": "30/29",
                  "processors": [{ "processor": "delay", "time": "0.1s", "feedback": 0.4 }] },
                { "asset": "plain", "duration": "2s", "processors": [{ "processor": "lowPass", "frequency": 3000 }] } ] } ],
          "outputs": [{ "preset": "lossless" }] }
        """##

    @Test func bytesAreTheSameWithoutVectors() async throws {
        let cutfarm = try Cutfarm()
        try await RandomMedia.make(in: cutfarm.folder.url.path)
        let seeds = TestSeeds.asked([16, 19], usual: [])
        let pictures = [("everything", Self.everything)] + seeds.map { ("seed-\($0)", RandomEdit(seed: $0).text) }
        let movies = [("lossless", "mkv"), ("h264", "mp4")]
        let sounds = [
            ("wav", "wav"), ("aac", "m4a"), ("ac3", "m4a"), ("opus", "opus"), ("mp3", "mp3"), ("flac", "flac"),
        ]
        let jobs = pictures.map { ($0.0, $0.1, movies) } + [("sound", Self.sound, sounds)]
        var made: [[String: Data]] = []
        for (name, environment) in [("usual", []), ("plain", ["CUTFARM_CPU=plain"])] {
            let farm = try await TestFarm(cutfarm, name, environment: environment)
            let worker = try farm.worker(name + "-worker")
            var files: [String: Data] = [:]
            var told: Set<TaskKind> = []
            for (edit, text, presets) in jobs {
                let path = try cutfarm.write(edit + ".json", text)
                for (preset, ending) in presets {
                    let output = cutfarm.folder.path("\(edit)-\(preset)-\(name).\(ending)")
                    let options = ["--preset", preset, "--segments", "3", "--watch", "-o", output]
                    let report = try await farm.show(try await farm.submit(path, options))
                    for task in report.tasks where task.statistics != nil {
                        try Self.expect(task, isPlain: !environment.isEmpty)
                        told.insert(task.kind)
                    }
                    files["\(edit) \(preset)"] = try Data(contentsOf: URL(fileURLWithPath: output))
                }
            }
            made.append(files)
            #expect(told.isSuperset(of: [.picture, .sound, .measure, .stitch]), "only \(told) told")
            try await farm.stop([worker])
        }
        #expect(made[0].count == pictures.count * movies.count + sounds.count && Set(made[0].keys) == Set(made[1].keys))
        for (name, bytes) in made[0] { #expect(bytes.count > 10_000 && bytes == made[1][name], "\(name)") }
    }

    /// A task tells with what its process computed: by the processor's longest vectors, but libav's for sound; or by none
    /// that a processor may lack.
    private static func expect(_ task: TaskView, isPlain: Bool) throws {
        let vectors = try #require(task.statistics?.vectors, "\(task.kind) does not tell")
        if isPlain { return #expect(vectors.isEmpty, "\(task.kind) took \(vectors)") }
        let isSound = task.kind == .sound || task.kind == .measure
        #expect(vectors.contains("x264") && vectors.contains("libav") != isSound, "\(task.kind): \(vectors)")
    }
}
