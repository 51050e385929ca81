import Foundation
import TestSupport
import Testing
import WireProtocol

/// `still` shows exactly the frame of each time, and says of each what became of it.
struct StillTests {
    private struct Line: Decodable {
        var at: String
        var state: String
        var frame: Int64?
        var time: String?
        var file: String?
        var reason: String?
    }

    /// 100 frames at 25 fps, a keyframe every 40 of them; frame n is a flat grey of code value 16 + 2n.
    private func prepare() async throws -> (Cutfarm, movie: String) {
        let cutfarm = try Cutfarm()
        let movie = cutfarm.folder.path("grey.mp4")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "color=gray:s=64x48:r=25:d=4,format=yuv420p,geq=lum=16+2*N:cb=128:cr=128"]
                + ["-c:v", "libx264", "-qp", "0", "-g", "40", "-sc_threshold", "0", "-colorspace", "bt709"]
                + ["-color_range", "tv", movie]
        )
        return (cutfarm, movie)
    }

    private func lines(_ outcome: Shell.Outcome) throws -> [Line] {
        try outcome.text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// Which frame an image shows, by its grey.
    private func frame(shownBy path: String) async throws -> Int {
        let pixels = try await Shell.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
        #expect(pixels.count == 64 * 48 && Set(pixels).count == 1)
        // Full range of a limited range luma: (Y − 16) × 255 / 219, and Y − 16 is 2n.
        return Int((Double(try #require(pixels.first)) * 219 / 255 / 2).rounded())
    }

    @Test(arguments: ["png", "jpg"])
    func eachTimeIsExactAndReportedAlone(ending: String) async throws {
        let (cutfarm, movie) = try await prepare()
        let pattern = cutfarm.folder.path("still-%03d.\(ending)")
        let times = ["1s", "#17", "3.999s", "99s", "0s", "1.019s", "soon"]
        let outcome = try await cutfarm.run(["still", movie, "--json", "-o", pattern, "--at"] + times)
        #expect(outcome.exitCode == 4, "\(outcome.errors)")
        let lines = try lines(outcome)
        #expect(Set(lines.map(\.at)) == Set(times) && lines.count == times.count)
        let done = lines.filter { $0.state == "done" }
        let shown: [String: Int64] = Dictionary(done.map { ($0.at, $0.frame ?? -1) }) { first, _ in first }
        #expect(shown == ["1s": 25, "#17": 17, "3.999s": 99, "0s": 0, "1.019s": 25])
        #expect(lines.filter { $0.state == "failed" }.map(\.at).sorted() == ["99s", "soon"])
        #expect(lines.first { $0.at == "99s" }?.reason?.contains("last frame is 99") == true)
        for line in done {
            let file = try #require(line.file)
            let number = try await frame(shownBy: file)
            #expect(line.frame == Int64(number), "\(file)")
        }
        #expect(cutfarm.leftovers().isEmpty)
        let again = try await cutfarm.run(["still", movie, "-o", pattern, "--at", "1s"])
        #expect(again.exitCode == 6 && again.errors.contains("--force"))
    }

    @Test func aToleranceTakesTheKeyframe() async throws {
        let (cutfarm, movie) = try await prepare()
        let options = ["still", movie, "--json", "--tolerance", "0.2s", "-o", cutfarm.folder.path("%d.png"), "--at"]
        let lines = try lines(try await cutfarm.run(options + ["1.7s", "2s", "3s"]))
        let shown: [String: Int64] = Dictionary(lines.map { ($0.at, $0.frame ?? -1) }) { first, _ in first }
        #expect(shown == ["1.7s": 40, "2s": 50, "3s": 80])
    }

    @Test func aSheetShowsFramesRowByRow() async throws {
        let (cutfarm, movie) = try await prepare()
        let sheet = cutfarm.folder.path("sheet.png")
        let outcome = try await cutfarm.run([
            "still", movie, "--sheet", "3x2", "--at", "0s", "1s", "2s", "3s", "-o", sheet,
        ])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let pixels = try await Shell.ffmpeg(["-i", sheet, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
        // Cells of 64x48, 8 pixels around each.
        let width = 8 + 3 * 72
        #expect(pixels.count == width * (8 + 2 * 56))
        func grey(_ column: Int, _ row: Int) -> Int { Int(pixels[(8 + row * 56 + 24) * width + 8 + column * 72 + 32]) }
        let expected = [0, 25, 50, 75].map { Int((Double(2 * $0) * 255 / 219).rounded()) }
        for (shown, wanted) in zip([grey(0, 0), grey(1, 0), grey(2, 0), grey(0, 1)], expected) {
            #expect(abs(shown - wanted) <= 1, "\(shown), not \(wanted)")
        }
        #expect(grey(1, 1) == 0)
    }

    @Test func framesAndSamplesAreThoseOfTheMovie() async throws {
        let cutfarm = try Cutfarm()
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=30000/1001:d=4", "-f", "lavfi", "-i", "sine=440:r=44100:d=4"]
                + ["-c:v", "libx264", "-g", "40", "-c:a", "aac", "-ac", "2", cutfarm.folder.path("a.mp4")]
        )
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [
                { "asset": "a", "in": "10f", "duration": "50f" }, { "transition": "dissolve", "duration": "10f" },
                { "asset": "a", "in": "3f", "duration": "40f" }] }] }
            """
        )
        for span in [[], ["--range", "35f", "20f"]] {
            let name = span.isEmpty ? "whole" : "part"
            let movie = try await cutfarm.render(edit, to: "\(name).mkv", ["--preset", "lossless"] + span)
            let frames = cutfarm.folder.path("\(name).y4m")
            let samples = cutfarm.folder.path("\(name).wav")
            #expect(try await cutfarm.run(["read", edit, "-o", frames] + span).exitCode == 0)
            #expect(try await cutfarm.run(["read", edit, "-o", samples] + span).exitCode == 0)
            let picture = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
            let expected = try await Shell.ffmpeg(["-i", movie] + picture)
            let count = span.isEmpty ? 80 : 20
            #expect(expected.count == count * 96 * 64 * 3 / 2)
            let shown = try await Shell.ffmpeg(["-i", frames] + picture)
            #expect(shown == expected)
            let sound = ["-f", "s24le", "-"]
            let heard = try await Shell.ffmpeg(["-i", movie] + sound)
            let read = try await Shell.ffmpeg(["-i", samples] + sound)
            #expect(read == heard)
            let piped = try await cutfarm.run(["read", edit, "-o", "-"] + span)
            #expect(piped.exitCode == 0)
            let stored = try Data(contentsOf: URL(fileURLWithPath: frames))
            #expect(piped.output == stored)
        }
        let header = try #require(FileManager.default.contents(atPath: cutfarm.folder.path("whole.y4m"))).prefix(40)
        #expect(String(decoding: header, as: UTF8.self).hasPrefix("YUV4MPEG2 W96 H64 F30000:1001 Ip A1:1"))
    }

    /// Several workers share the stills, and each has the bytes of one made here; a time that cannot be had, and an
    /// interruption, stop no other.
    @Test func aFarmMakesTheSameStills() async throws {
        let (cutfarm, movie) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let workers = try [farm.worker("one", "--slots", "1"), farm.worker("two", "--slots", "1")]
        let here = cutfarm.folder.path("here-%03d.png")
        #expect(
            try await cutfarm.run(["still", movie, "--every", "4f", "-o", here, "--max-size", "40x40"]).exitCode == 0
        )
        let there = cutfarm.folder.path("there-%03d.png")
        let outcome = try await farm.run("still", movie, "--json", "--every", "4f", "-o", there, "--max-size", "40x40")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let lines = try lines(outcome)
        #expect(lines.count == 25 && lines.allSatisfy { $0.state == "done" })
        for line in lines {
            let path = try #require(line.file)
            let made = try #require(FileManager.default.contents(atPath: path))
            #expect(made == FileManager.default.contents(atPath: path.replacing("there", with: "here")), "\(path)")
        }
        let jobs = try WireJSON.decode([JobView].self, from: try await farm.run("jobs", "--json").output)
        let report = try await farm.show(try #require(jobs.first).id)
        #expect(report.job.state == .completed && report.tasks.count == 4 && report.job.preset == "stills")
        #expect(report.tasks.allSatisfy { $0.kind == .stills })

        let folder = cutfarm.folder.path("some")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let some = try await farm.run("still", movie, "--json", "-o", folder, "--at", "1s", "99s")
        #expect(some.exitCode == 4)
        #expect(try self.lines(some).map { "\($0.at) \($0.state)" }.sorted() == ["1s done", "99s failed"])

        let sheets = ["a.png", "b.png"].map { cutfarm.folder.path($0) }
        #expect(try await cutfarm.run(["still", movie, "--sheet", "3x2", "-o", sheets[0]]).exitCode == 0)
        let sheet = try await farm.run("still", movie, "--sheet", "3x2", "-o", sheets[1])
        #expect(sheet.exitCode == 0, "\(sheet.errors)")
        let images = sheets.map { FileManager.default.contents(atPath: $0) }
        #expect(images[0] != nil && images[0] == images[1])
        try await farm.stop(workers)
    }

    /// A reader that takes a little and leaves ends it soon, and nothing stays.
    @Test func aReaderThatGoesAwayEndsIt() async throws {
        let (cutfarm, movie) = try await prepare()
        let read = "'\(Programs.cutfarm)' read '\(movie)' -o - --state '\(cutfarm.state)'"
        let command = read + " | head -c 100 | wc -c; echo ${PIPESTATUS[0]}"
        let outcome = try await Shell.run("bash", ["-c", command])
        #expect(outcome.text.split(whereSeparator: \.isWhitespace) == ["100", "141"] && outcome.errors.isEmpty)
        #expect(cutfarm.leftovers().isEmpty)
    }

    @Test func badRequestsSayWhatToDo() async throws {
        let (cutfarm, movie) = try await prepare()
        for (arguments, words) in [
            (["still", movie, "--at", "1s", "-o", cutfarm.folder.path("x.gif")], ".png or .jpg"),
            (["still", movie], "--at"),
            (["still", movie, "--every", "1ms", "-o", cutfarm.folder.path("%d.png")], "shorter than a frame"),
            (["still", movie, "--at", "1s", "2s", "-o", cutfarm.folder.path("x.png")], "pattern"),
            (["still", movie, "--sheet", "3", "-o", cutfarm.folder.path("x.png")], "320x180"),
            (["read", movie, "-o", cutfarm.folder.path("x.avi")], "y4m"),
            (["read", movie, "-o", cutfarm.folder.path("x.wav")], "no sound"),
        ] {
            let outcome = try await cutfarm.run(arguments)
            #expect(outcome.exitCode == 2 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: cutfarm.folder.url.path)
        #expect(Set(names).isSubset(of: ["grey.mp4", "state"]), "\(names)")
    }
}
