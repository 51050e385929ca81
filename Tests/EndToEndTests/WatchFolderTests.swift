import Foundation
import TestSupport
import Testing
import WireProtocol

/// A folder whose files become jobs of a real farm, and the report of what it did.
@Suite(.serialized) struct WatchFolderTests {
    private struct Night {
        let cutfarm: Cutfarm
        let farm: TestFarm
        let incoming: String
        let exports: String

        init() async throws {
            (cutfarm, _) = try await Cutfarm.showing(seconds: 1, of: 1)
            (incoming, exports) = (cutfarm.folder.path("incoming"), cutfarm.folder.path("exports"))
            for folder in [incoming, exports, incoming + "/done", incoming + "/failed"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            }
            farm = try await TestFarm(cutfarm, options: ["--output-root", exports])
        }

        func watch(_ name: String, state: String, _ options: [String]) throws -> RunningProgram {
            try RunningProgram(
                Programs.cutfarm,
                [
                    "watch-folder", incoming, "--coordinator", farm.address, "--token-file",
                    cutfarm.folder.path("token"),
                    "--state", state, "--settle", "300ms", "--interval", "100ms",
                ] + options,
                log: cutfarm.folder.path(name + ".log")
            )
        }

        func log(_ name: String) -> String {
            (try? String(contentsOfFile: cutfarm.folder.path(name + ".log"), encoding: .utf8)) ?? ""
        }

        func put(_ name: String) throws {
            try FileManager.default.copyItem(atPath: cutfarm.folder.path("a.mp4"), toPath: incoming + "/" + name)
        }

        func jobs() async throws -> [JobView] {
            try WireJSON.decode([JobView].self, from: try await farm.run("jobs", "--json").output)
        }

        func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    }

    /// It is killed between submitting and the end, and its state is lost; a bad file stops no other.
    @Test func everyFileBecomesOneJob() async throws {
        let night = try await Night()
        let options = ["--preset", "h264", "--to", "exports/{name}.{ext}"]
        let first = try night.watch("first", state: night.cutfarm.state, options)
        try night.put("one.mp4")
        try Data("no media".utf8).write(to: URL(fileURLWithPath: night.incoming + "/bad.mov"))
        try Data("half".utf8).write(to: URL(fileURLWithPath: night.incoming + "/half.mp4.part"))
        try await waitUntil { try await night.jobs().count == 1 }
        try await waitUntil { night.has(night.incoming + "/bad.mov.cutfarm.txt") }
        first.send(SIGKILL)
        _ = try await first.wait()
        #expect(night.text(night.incoming + "/bad.mov.cutfarm.txt").hasPrefix("bad.mov was refused.\n"))

        // With what it remembers, and with nothing.
        for (name, state) in [("second", night.cutfarm.state), ("third", night.cutfarm.folder.path("lost"))] {
            let again = try night.watch(name, state: state, options)
            let file = name + ".mp4"
            try night.put(file)
            try await waitUntil { night.log(name).contains("  \(file)\n") }
            again.send(SIGTERM)
            #expect(try await again.wait() == 130)
        }
        #expect(try await night.jobs().count == 3, "one.mp4, second.mp4 and third.mp4, each once")

        let worker = try night.farm.worker("one")
        let last = try night.watch("last", state: night.cutfarm.state, options + ["--once"])
        #expect(try await last.wait() == 0, "\(night.log("last"))")
        for name in ["one", "second", "third"] {
            #expect(night.has("\(night.exports)/\(name).mp4"))
            let report = night.text("\(night.incoming)/\(name).mp4.cutfarm.txt")
            #expect(report.contains("done, the movie lies at exports/\(name).mp4."), "\(report)")
        }
        #expect(try await night.jobs().count == 3)
        try await night.farm.stop([worker])
    }

    /// A template takes each file in; what is done is moved, and what failed too. In the morning there is a report.
    @Test func filesOfATemplateAreMovedAndReported() async throws {
        let night = try await Night()
        let template = try night.cutfarm.write(
            "template.json",
            """
            { "schema": "edit/1", "assets": { "clip": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "clip", "duration": "12f" }] }] }
            """
        )
        let worker = try night.farm.worker("one")
        try night.put("a.mp4")
        try night.put("b.mp4")
        try Data("no media".utf8).write(to: URL(fileURLWithPath: night.incoming + "/bad.mov"))
        let watch = try night.watch(
            "watch",
            state: night.cutfarm.state,
            [
                "--edit", template, "--as", "clip", "--preset", "h264", "--to", "exports/", "--done",
                night.incoming + "/done", "--failed", night.incoming + "/failed", "--once",
            ]
        )
        #expect(try await watch.wait() == 0, "\(night.log("watch"))")
        for name in [
            "done/a.mp4", "done/a.mp4.cutfarm.txt", "done/b.mp4", "failed/bad.mov", "failed/bad.mov.cutfarm.txt",
        ] {
            #expect(night.has(night.incoming + "/" + name), "\(name)")
        }
        #expect(!night.has(night.incoming + "/a.mp4") && night.has(night.exports + "/b.mp4"))

        let (page, data) = (night.cutfarm.folder.path("night.html"), night.cutfarm.folder.path("night.json"))
        let said = try await night.farm.run("report", "--since", "1h", "--html", page, "--json", data)
        #expect(said.exitCode == 0 && said.text.contains("2 jobs done"), "\(said.text) \(said.errors)")
        let report = try WireJSON.decode(FarmReport.self, from: Data(contentsOf: URL(fileURLWithPath: data)))
        #expect(report.totals.completed == 2 && report.totals.renderedFrames == 24 && report.totals.frames == 24)
        #expect(report.completed.compactMap { $0.job.delivery?.delivered }.count == 2)
        #expect(Set(report.machines.map(\.name)).contains("one"))
        #expect(night.text(page).contains("exports/b.mp4"))
        try await night.farm.stop([worker])
    }

    /// Plain files are encoded by the farm, each as a job of its own, and the same command again makes none.
    @Test func plainFilesAreExported() async throws {
        let night = try await Night()
        for name in ["x.mov", "y.mov"] {
            try await Shell.ffmpeg([
                "-i", night.cutfarm.folder.path("a.mp4"), "-c", "copy", night.incoming + "/" + name,
            ])
        }
        let worker = try night.farm.worker("one")
        func export(_ options: String...) async throws -> Shell.Outcome {
            try await night.cutfarm.run(
                [
                    "export", night.incoming + "/x.mov", night.incoming + "/y.mov", "--preset", "h264", "--coordinator",
                    night.farm.address, "--token-file", night.cutfarm.folder.path("token"),
                ] + options
            )
        }
        let first = try await export("--to", "exports/{name}.{ext}")
        #expect(first.exitCode == 0, "\(first.errors)")
        #expect(try await export("--to", "exports/{name}.{ext}").text == first.text)
        let fetched = try await export("-o", night.incoming + "/done", "--to", "exports/again/{name}.{ext}")
        #expect(fetched.exitCode == 0, "\(fetched.errors)")
        for name in ["x.mp4", "y.mp4"] {
            let movie = FileManager.default.contents(atPath: night.incoming + "/done/" + name)
            #expect(movie?.isEmpty == false)
            #expect(FileManager.default.contents(atPath: night.exports + "/again/" + name) == movie)
            #expect(FileManager.default.contents(atPath: night.exports + "/" + name) == movie)
        }
        #expect(try await night.jobs().count == 4)
        let plain = try await export("--to", "exports/one.mp4")
        #expect(plain.exitCode == 2 && plain.errors.contains("goes to exports/one.mp4 too"), "\(plain.errors)")
        try await night.farm.stop([worker])
    }
}
