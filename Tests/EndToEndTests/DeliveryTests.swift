import Foundation
import TestSupport
import Testing
import WireProtocol

/// Movies that a real farm puts into output folders while no command line waits for them.
@Suite(.serialized) struct DeliveryTests {
    private func exports(_ cutfarm: Cutfarm) throws -> String {
        let path = cutfarm.folder.path("exports")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    private func delivered(_ id: JobID, _ farm: TestFarm) async throws -> JobReport {
        var report = try await farm.show(id)
        try await waitUntil {
            report = try await farm.show(id)
            return report.job.delivery?.delivered != nil || [.failed, .cancelled].contains(report.job.state)
        }
        return report
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// Everybody who submitted is gone, and the coordinator is killed at each moment of putting the movie at its place.
    @Test(
        arguments: TestSeeds.asked(
            ["stitch.stored", "delivery.drafted", "delivery.named", "delivery.placed"],
            usual: ["delivery.drafted", "delivery.placed"]
        )
    )
    func aCoordinatorThatIsKilledDeliversOnce(point: String) async throws {
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 2, of: 2)
        let folder = try exports(cutfarm)
        let farm = try await TestFarm(
            cutfarm,
            hasOwnDatabase: true,
            options: ["--output-root", folder],
            environment: ["CUTFARM_CRASH_POINT=" + point]
        )
        let id = try await farm.submit(edit, ["--to", "exports/tonight/"])
        let worker = try farm.worker("one")
        #expect(try await farm.coordinator.wait() == 86)
        worker.send(SIGKILL)
        _ = try await worker.wait()
        let again = try await TestFarm(cutfarm, hasOwnDatabase: true, options: ["--output-root", folder])
        let second = try again.worker("two")
        let report = try await delivered(id, again)
        #expect(report.job.delivery?.to == "exports/tonight/out.mp4" && report.job.state == .completed)
        #expect(try names(folder + "/tonight") == ["out.mp4"])
        let fetched = cutfarm.folder.path("fetched.mp4")
        #expect(try await again.run("fetch", id.description, "-o", fetched).exitCode == 0)
        let movie = try Data(contentsOf: URL(fileURLWithPath: folder + "/tonight/out.mp4"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: fetched)) == movie)
        let shown = try await again.run("show", id.description)
        #expect(shown.text.contains("The movie lies at exports/tonight/out.mp4."), "\(shown.text)")
        try await again.stop([second])
    }

    /// A table whose rows share a template: some go, each bad one is one sentence, and a second time nothing is new.
    @Test func theRowsOfATableAreDelivered() async throws {
        let (cutfarm, _) = try await Cutfarm.showing(seconds: 1, of: 2)
        let folder = try exports(cutfarm)
        _ = try cutfarm.write(
            "part.json",
            """
            { "schema": "edit/1", "params": { "from": { "type": "time", "default": "0s" } }, "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "in": { "$param": "from" }, "duration": "12f" }] }] }
            """
        )
        let table = try cutfarm.write(
            "night.csv",
            "edit,to,preset,priority,param.from\r\npart.json,exports/a.mp4,h264,,\r\npart.json,exports/b.mp4,h264,5,1s\r\n"
                + "part.json,exports/a.mp4,h264,,\r\npart.json,exports/c.mp4,lossless,,\r\npart.json,exports/d.mp4,h264,x,\r\n"
                + "gone.json,exports/e.mp4,h264,,\r\n"
        )
        let farm = try await TestFarm(cutfarm, options: ["--output-root", folder])
        func submit() async throws -> Shell.Outcome {
            try await cutfarm.run(
                [
                    "submit", "--manifest", table, "--coordinator", farm.address, "--token-file",
                    cutfarm.folder.path("token"),
                ]
            )
        }
        let first = try await submit()
        let said = first.errors.split(separator: "\n").map { $0.replacing(cutfarm.folder.url.path + "/", with: "") }
        #expect(first.exitCode == 2 && said.last == "6 lines: 2 jobs submitted, 4 refused.", "\(first.errors)")
        for start in [
            "night.csv:4: night.csv:2 goes to exports/a.mp4 too;",
            "night.csv:5: exports/c.mp4: the preset lossless makes",
            "night.csv:6, column “priority”: “x” is no whole number", "night.csv:7: gone.json cannot be read",
        ] {
            #expect(said.contains { $0.hasPrefix(start) }, "\(start) in \(said)")
        }
        #expect(try await submit().text == first.text, "the same jobs again")
        let worker = try farm.worker("one")
        let ids = first.text.split(separator: "\n").compactMap { JobID(text: String($0.prefix { $0 != " " })) }
        try #require(ids.count == 2)
        var titles: [String] = []
        for id in ids {
            let job = try await delivered(id, farm).job
            #expect(job.state == .completed)
            titles.append(job.title)
        }
        #expect(titles == ["part.json", "b.mp4"], "a row that fills the template is named after its file")
        #expect(try names(folder) == ["a.mp4", "b.mp4"])
        #expect(try await submit().text == first.text, "also when the files are there")
        let other = try await cutfarm.run(
            [
                "submit", cutfarm.folder.path("edit.json"), "--to", "exports/a.mp4", "--coordinator", farm.address,
                "--token-file", cutfarm.folder.path("token"),
            ]
        )
        #expect(
            other.exitCode != 0 && other.errors.contains("There is a file at exports/a.mp4 already"),
            "\(other.errors)"
        )
        let replaced = try await farm.submit(cutfarm.folder.path("edit.json"), ["--to", "exports/a.mp4", "--replace"])
        #expect(try await delivered(replaced, farm).job.state == .completed)
        try await farm.stop([worker])
    }
}
