import Foundation
import Planning
import TestSupport
import Testing
import Timing

/// Movies in which pictures are copied beside encoded ones, in the browsers that most people watch with: what a seek
/// shows, how long the movie is, and when its sound begins.
@Suite(.serialized) struct BrowserTests {
    private static let seekCount = 100

    @Test(
        .enabled(if: Program.chromium != nil, "Chromium is missing: scripts/install-dependencies test")
    ) func chromiumShowsTheFrames() async throws { try await checkSeeks(try #require(Program.chromium)) }

    @Test(
        .enabled(if: Program.firefox != nil, "Firefox ESR is missing: scripts/install-dependencies thorough")
    ) func firefoxShowsTheFrames() async throws { try await checkSeeks(try #require(Program.firefox)) }

    /// The browsers that are installed.
    private enum Program {
        static let chromium = place(of: "chromium")
        static let firefox = place(of: "firefox-esr")

        private static func place(of name: String) -> String? {
            ["/usr/bin/", "/usr/local/bin/"].map { $0 + name }.first(where: FileManager.default.isExecutableFile)
        }
    }

    /// A cut, and a gap of 5 frames where `asset` is nil.
    private struct Clip {
        var asset: Int?
        var start = 0
        var count = 5
    }

    private struct Answer: Decodable {
        var numbers: [Int]?
        var duration: Double?
        var samples: Int?
        var onset: Int?
        var error: String?
    }

    private func checkSeeks(_ browser: String) async throws {
        let cutfarm = try Cutfarm()
        var random = SplitMix(seed: 5)
        let clips = (0..<16).map { place in
            if place == 0 { return Clip(asset: 0, start: 330, count: 150) }
            return place == 7 ? Clip() : Clip(asset: place % 3, start: random.below(300), count: 30 + random.below(170))
        }
        for source in 0..<3 { try await make(source, in: cutfarm.folder) }
        let edit = try cutfarm.write("edit.json", text(clips))
        let plan = try #require(try await cutfarm.plans(of: edit, ["--smart"]).first)
        #expect((plan.copying?.copiedCount ?? 0) > plan.frameCount / 2)
        let movie = try await cutfarm.render(edit, to: "movie.mp4", ["--smart", "--workers", "2"])
        let shown = clips.flatMap { clip in
            (0..<clip.count).map { frame in clip.asset.map { $0 * 20000 + clip.start + frame + 1 } ?? 0 }
        }
        // Where parts meet, and anywhere.
        let borders = plan.segments.flatMap { segment in
            (segment.task.copies ?? []).flatMap { span in
                let start = Int(segment.frames.start + span.frames.start)
                return [start - 1, start, start + Int(span.frames.count) - 1, start + Int(span.frames.count)]
            }
        }.filter(shown.indices.contains)
        var frames = Array(borders.shuffled(using: &random).prefix(Self.seekCount / 2))
        while frames.count < Self.seekCount { frames.append(random.below(shown.count)) }
        frames.shuffle(using: &random)
        let script = Programs.repository.appendingPathComponent("Tests/Oracles/browser_seeks.py").path
        let outcome = try await Shell.run("python3", [script, browser, movie, "25"] + frames.map(String.init))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let answer = try JSONDecoder().decode(Answer.self, from: outcome.output)
        #expect(answer.error == nil)
        let wrong = zip(frames, answer.numbers ?? []).filter { shown[$0.0] != $0.1 }
        #expect(answer.numbers?.count == Self.seekCount && wrong.isEmpty, "frame and number: \(wrong)")
        #expect(answer.duration == Double(shown.count) / 25)
        #expect(answer.samples == shown.count * 1920)
        // The tone of the first clip's source begins at its 400th frame, so the encoder may smear it by a few samples.
        let onset = (400 - clips[0].start) * 1920
        #expect(abs((answer.onset ?? 0) - onset) < 32, "\(answer.onset ?? -1), not \(onset)")
    }

    /// 600 frames with numbers from 1 on, 20001 on, 40001 on; the first one sounds from its 400th frame on.
    private func make(_ source: Int, in folder: TemporaryFolder) async throws {
        let number = "if(mod(floor((N+1+\(source * 20000))/pow(2,X)),2),235,16)"
        let picture = "nullsrc=s=16x4:r=25,format=yuv420p,geq=lum='\(number)':cb=128:cr=128"
        let wide = "scale=256:64:flags=neighbor,format=yuv420p"
        let tone = "0.8*sin(2*PI*1000*t)*gte(t,16)*\(source == 0 ? 1 : 0)"
        let sound = ["-f", "lavfi", "-i", "aevalsrc='\(tone)|\(tone)':s=48000"]
        let kinds = ["keyint=50:bframes=3", "keyint=40:cabac=0:bframes=2", "keyint=60:bframes=5:b-pyramid=normal"]
        let color = ["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
        let coding = ["-c:v", "libx264", "-crf", "16", "-x264-params", kinds[source] + ":scenecut=0"]
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "\(picture),\(wide)"] + sound + ["-frames:v", "600", "-t", "24"] + coding + color
                + ["-c:a", "aac", folder.path("\(source).mp4")]
        )
    }

    private func text(_ clips: [Clip]) -> String {
        let items = clips.map { clip in
            guard let asset = clip.asset else { return "{ \"gap\": \"\(clip.count)f\" }" }
            return "{ \"asset\": \"\(asset)\", \"in\": \"\(clip.start)f\", \"duration\": \"\(clip.count)f\" }"
        }
        return """
            { "schema": "edit/1",
              "format": { "size": [256, 64], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "0": "0.mp4", "1": "1.mp4", "2": "2.mp4" },
              "tracks": [{ "kind": "video", "segments": [ \(items.joined(separator: ",\n")) ] }],
              "outputs": [{ "preset": "h264" }] }
            """
    }
}
