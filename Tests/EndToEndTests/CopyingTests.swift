import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing
import Timing
import WireProtocol

/// `--smart` on a farm: what nothing touches is copied, and any number of workers makes the same file.
@Suite(.serialized)
struct CopyingTests {
    private static let edit = """
        { "schema": "edit/1",
          "assets": { "a": "a.mp4", "b": "b.mkv" },
          "tracks": [
            { "kind": "video", "segments": [
                { "asset": "a", "in": "33f", "duration": "322f" },
                { "asset": "b", "in": "17f", "duration": "200f" },
                { "transition": "dissolve", "duration": "1s" },
                { "asset": "a", "in": "100f", "duration": "211f" } ] },
            { "kind": "title", "segments": [ { "text": "Cutfarm", "at": "2s", "duration": "10f" } ] } ],
          "outputs": [{ "preset": "h264" }] }
        """

    private func prepare() async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        let sound = ["-f", "lavfi", "-i", "sine=300:r=48000", "-t", "16", "-c:a", "aac", "-ac", "2"]
        let coded = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-color_range", "tv"]
        let color = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25"]
        try await Shell.ffmpeg(
            picture + sound + coded + color + ["-g", "50", "-bf", "3", cutfarm.folder.path("a.mp4")]
        )
        let other = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25,hue=h=90"]
        try await Shell.ffmpeg(
            other + sound + coded + color + ["-profile:v", "main", "-x264-params", "keyint=40:cabac=0"]
                + [cutfarm.folder.path("b.mkv")]
        )
        return (cutfarm, try cutfarm.write("edit.json", Self.edit))
    }

    private func hashes(_ path: String) async throws -> [String] {
        let text = try await Shell.ffmpeg([
            "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-",
        ])
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map(String.init)
        }
    }

    @Test func copiedFramesAreTheSources() async throws {
        let (cutfarm, edit) = try await prepare()
        let one = try await cutfarm.render(edit, to: "one.mp4", ["--smart", "--workers", "1"])
        let two = try await cutfarm.render(edit, to: "two.mp4", ["--smart", "--workers", "2"])
        let files = try [one, two].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(files[0] == files[1])
        let messages = try await Shell.run("ffmpeg", ["-nostdin", "-v", "warning", "-i", one, "-f", "null", "-"])
        #expect(messages.errors == "")
        let found = try await hashes(one)
        #expect(found.count == 708)
        let plan = try #require(try await cutfarm.plans(of: edit, ["--smart"]).first)
        let sources = try await ["a.mp4", "b.mkv"].asyncMap { try await hashes(cutfarm.folder.path($0)) }
        var copied = 0
        for segment in plan.segments {
            for span in segment.task.copies ?? [] {
                let place = Int(segment.frames.start + span.frames.start)
                let (count, from) = (Int(span.frames.count), Int(span.sourceFrame))
                let shown = Array(found[place..<place + count])
                #expect(sources.contains { $0.count >= from + count && Array($0[from..<from + count]) == shown })
                copied += count
            }
        }
        #expect(copied > 450)
        let text = try await cutfarm.run("plan", edit, "--smart").text
        #expect(text.contains("copied: \(copied) of 708 frames"), "\(text)")
        #expect(text.contains("10 frames encoded: a title is drawn"), "\(text)")
        #expect(cutfarm.leftovers().isEmpty)
    }

    /// Seeded cut lists of sources of all kinds: their bytes do not depend on how many work at them.
    @Test func seededCutListsHaveTheSameBytesForAnyNumberOfWorkers() async throws {
        let cutfarm = try Cutfarm()
        var made: Set<CopySource.Raster> = []
        for seed in TestSeeds.asked(usual: 2, thorough: 20) {
            let list = CopyCutList(seed: seed)
            if made.insert(list.raster).inserted {
                for (number, source) in CopySource.all(of: list.raster).enumerated() {
                    for step in source.steps(seed: number, path: cutfarm.folder.path) { try await Shell.ffmpeg(step) }
                }
            }
            let edit = try cutfarm.write("\(seed).json", list.text)
            let options = list.raster == .square ? ["--smart"] : []
            let plan = try #require(try await cutfarm.plans(of: edit, options).first)
            var files: [Data] = []
            for workers in ["1", "2"] {
                let name = "\(seed)-\(workers).\(plan.output.fileExtension)"
                let movie = try await cutfarm.render(edit, to: name, options + ["--workers", workers])
                files.append(try Data(contentsOf: URL(fileURLWithPath: movie)))
            }
            #expect(files[0] == files[1], "seed \(seed)")
            let movie = cutfarm.folder.path("\(seed)-1.\(plan.output.fileExtension)")
            #expect(try await hashes(movie).count == plan.frameCount)
        }
    }

    /// Each line of a manifest says by itself what is copied.
    @Test func linesOfAManifestSayWhatIsCopied() async throws {
        let (cutfarm, _) = try await prepare()
        let lines = [
            #"{ "edit": "edit.json", "smart": true }"#, #"{ "edit": "edit.json", "match": "b" }"#,
            #"{ "edit": "edit.json" }"#, #"{ "edit": "edit.json", "match": "c" }"#,
        ]
        let manifest = try cutfarm.write("all.jsonl", lines.joined(separator: "\n"))
        let farm = try await TestFarm(cutfarm)
        let outcome = try await farm.run("submit", "--manifest", manifest, "--state", cutfarm.state)
        #expect(outcome.errors.contains("all.jsonl:4: ") && outcome.errors.contains("there is no asset \"c\""))
        #expect(outcome.errors.contains("4 lines: 3 jobs submitted, 1 refused."), "\(outcome.errors)")
        let ids = outcome.text.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first.flatMap { JobID(text: String($0)) }
        }
        try #require(ids.count == 3)
        let jobs = try await ids.asyncMap { try await farm.show($0).job }
        #expect(jobs.map { ($0.copying?.copiedCount ?? 0) > 0 } == [true, true, false])
        #expect(jobs.map(\.fileExtension) == ["mp4", "mkv", "mp4"])
        try await farm.stop([])
    }

    /// `show` and the API say of a farm's job what `plan` said before.
    @Test func aJobSaysWhatItCopies() async throws {
        let (cutfarm, edit) = try await prepare()
        let plan = try #require(try await cutfarm.plans(of: edit, ["--smart"]).first)
        let copying = try #require(plan.copying)
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let id = try await farm.submit(edit, ["--smart"])
        let report = try await farm.wait(for: id)
        #expect(report.job.state == .completed && report.job.copying == copying)
        #expect(
            copying.copiedCount > 450 && report.pictures.map(\.copiedCount) == plan.segments.map(\.task.copiedCount)
        )
        #expect(report.tasks.filter { $0.kind != .picture }.allSatisfy { $0.copiedCount == nil })
        let text = try await farm.run("show", id.description).text
        let sound = try #require(copying.sound)
        for line in copying.lines(of: 708) + sound.lines { #expect(text.contains(line), "\(text)") }
        let plain = try await farm.wait(for: try await farm.submit(edit))
        #expect(plain.job.copying == nil && plain.pictures.allSatisfy { $0.copiedCount == nil })
        try await farm.stop([worker])
    }

    /// The preset `match` follows the source of most frames, and says so; without it a line says what it would copy.
    @Test func theSourceIsFollowed() async throws {
        let (cutfarm, edit) = try await prepare()
        let hint = try await cutfarm.run("plan", edit).text.split(separator: "\n").last
        let text = try await cutfarm.run("plan", edit, "--preset", "match").text
        let copied = try #require(text.split(separator: "\n").first { $0.hasPrefix("copied: ") }).split(separator: " ")[
            1
        ]
        #expect(hint == "\(copied) of 708 frames could be copied: --preset match", "\(text)")
        #expect(text.contains("follows \"a\": H.264 High in MP4, quantiser "), "\(text)")
        #expect(!text.contains("could be copied"), "\(text)")
        let check = try await cutfarm.run("check", edit, "--preset", "match").text
        #expect(check.contains("follows \"a\"") && check.contains("[implied-match]"), "\(check)")
        let plans = try await cutfarm.plans(of: edit, ["--match", "b"])
        #expect(plans.first?.output.container == .matroska && plans.first?.output.audio?.codec == .pcm24)
        let movie = try await cutfarm.render(edit, to: "out.mkv", ["--match", "b"])
        let messages = try await Shell.run(
            "ffmpeg",
            ["-nostdin", "-v", "warning", "-i", movie, "-an", "-f", "null", "-"]
        )
        #expect(messages.errors.split(separator: "\n").filter { !$0.contains("Guessed Channel Layout") } == [])
        let (found, source) = (try await hashes(movie), try await hashes(cutfarm.folder.path("b.mkv")))
        #expect(found.count == 708)
        var count = 0
        for segment in try #require(plans.first).segments {
            for span in segment.task.copies ?? [] {
                let (place, from) = (Int(segment.frames.start + span.frames.start), Int(span.sourceFrame))
                let shown = found[place..<place + Int(span.frames.count)]
                #expect(Array(shown) == Array(source[from..<from + Int(span.frames.count)]))
                count += shown.count
            }
        }
        #expect(count > 100)
    }

    /// What cannot be followed is an error with a sentence, and a name of another kind of file too.
    @Test func whatCannotBeFollowedIsSaid() async throws {
        let (cutfarm, edit) = try await prepare()
        let unknown = try await cutfarm.run("plan", edit, "--match", "aa").errors
        #expect(
            unknown.contains("there is no asset \"aa\" to follow; there are \"a\", \"b\" (write \"a\") [match]"),
            "\(unknown)"
        )
        let ending = try await cutfarm.run("render", edit, "--match", "b", "-o", cutfarm.folder.path("x.mp4")).errors
        #expect(ending.contains("the preset match makes a file that is named .mkv, not .mp4"), "\(ending)")
        #expect(!FileManager.default.fileExists(atPath: cutfarm.folder.path("x.mp4")))
    }

    /// A preset that makes other pictures copies none, and says so.
    @Test func anotherSizeCopiesNothing() async throws {
        let (cutfarm, edit) = try await prepare()
        let text = try await cutfarm.run("plan", edit, "--smart", "--preset", "lossless").text
        #expect(!text.contains("copied:"), "\(text)")
        let small = edit.replacingOccurrences(of: "edit.json", with: "small.json")
        let format = Self.edit.replacingOccurrences(
            of: #""assets""#,
            with: #""format": { "size": [160, 90], "frameRate": "25" }, "assets""#
        )
        _ = try cutfarm.write("small.json", format)
        let plan = try await cutfarm.run("plan", small, "--smart").text
        #expect(plan.contains("copied: 0 of 708 frames, 0 %"), "\(plan)")
        #expect(plan.contains("encoded: the source has another size than the output"), "\(plan)")
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
