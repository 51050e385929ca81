import Foundation
import Planning
import TestSupport
import Testing
import WireProtocol

/// A new version of an edit renders what changed, and its movie has the bytes of one that was rendered from nothing.
@Suite struct ChangedEditTests {
    private func prepare() async throws -> (Cutfarm, first: String, trimmed: String) {
        let (cutfarm, _) = try await Cutfarm.showing(seconds: 1, of: 40)
        return (
            cutfarm, try cutfarm.write("first.json", Self.edit(middle: 300)),
            try cutfarm.write("trimmed.json", Self.edit(middle: 290))
        )
    }

    /// Three clips of which every frame is composited.
    private static func edit(middle: Int) -> String {
        """
        { "schema": "edit/1", "assets": { "a": "a.mp4" },
          "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
          "tracks": [{ "kind": "video", "id": "main", "segments": [
            { "asset": "a", "duration": "12s", "opacity": 0.9 },
            { "asset": "a", "in": "20s", "duration": "\(middle)f", "opacity": 0.9 },
            { "asset": "a", "in": "5s", "duration": "12s", "opacity": 0.9 }] }],
          "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
        """
    }

    private func data(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// Renders and takes what is there. - Returns: the movie, and what was said last.
    private func render(
        _ cutfarm: Cutfarm,
        _ edit: String,
        _ environment: [String] = []
    ) async throws -> (movie: Data, said: String) {
        let path = cutfarm.folder.path("kept.mp4")
        let outcome = try await Shell.run(
            "env",
            environment + [
                Programs.cutfarm, "render", edit, "-o", path, "--force", "--state", cutfarm.state,
            ]
        )
        guard outcome.exitCode == 0 else { throw Unexpected(description: "render: " + outcome.errors) }
        return (try data(path), outcome.errors.split(separator: "\n").last.map(String.init) ?? "")
    }

    @Test func aTrimmedClipIsAllThatIsRendered() async throws {
        let (cutfarm, first, trimmed) = try await prepare()
        let fresh = try data(try await cutfarm.render(trimmed, to: "fresh.mp4"))
        #expect(!FileManager.default.fileExists(atPath: cutfarm.state + "/parts"), "a run that keeps nothing")
        let one = try await render(cutfarm, first)
        #expect(!one.said.contains("there already"))
        let plan = try #require(try await cutfarm.plans(of: trimmed).first)
        let before = Set(try #require(try await cutfarm.plans(of: first).first).segments.map(\.key))
        let same = plan.segments.count { before.contains($0.key) }
        #expect(same == plan.segments.count - 1 && same > 2, "\(same) of \(plan.segments.count)")
        let two = try await render(cutfarm, trimmed)
        #expect(two.movie == fresh)
        #expect(two.said.contains("(\(same) of \(same + 2) parts were there already)"), "\(two.said)")
        // Back to the first version: nothing is rendered.
        let three = try await render(cutfarm, first)
        #expect(three.movie == one.movie)
        #expect(three.said.contains("(\(same + 2) of \(same + 2) parts"), "\(three.said)")
        let list = try await cutfarm.run("parts", "--here", "--json")
        let parts = try WireJSON.decode(PartList.self, from: list.output)
        #expect(parts.totals.uses == 2 * same + 2 && parts.totals.count == same + 4)
        #expect(try await cutfarm.run("parts", "prune", "--here", "--keep", "0").exitCode == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: cutfarm.state + "/parts/bytes").isEmpty)
    }

    @Test func thePlanSaysWhatIsRenderedAgainAndWhy() async throws {
        let (cutfarm, first, trimmed) = try await prepare()
        let same = try await cutfarm.run("plan", first, "--against", first)
        let rest =
            "nothing is rendered again where those are kept, by the same versions of the renderer and its libraries."
        #expect(same.text == "Every part is as in \(first): \(rest)\n")
        let said = try await cutfarm.run("plan", trimmed, "--against", first).text
        let count = try #require(try await cutfarm.plans(of: trimmed).first).segments.count
        #expect(said.contains("1 of \(count) segments and 1 of 1 piece of sound differ from \(first):"), "\(said)")
        let words = /segment \d, frames \d+..<590 from 00:00:\d\d:\d\d: number of frames is \d+ and not \d+;/
        #expect(said.contains(words), "\(said)")
        let none = try await cutfarm.run("plan", first, "--against", cutfarm.folder.path("none.json"))
        #expect(none.exitCode == 2)
        let misspelt = try await cutfarm.run("plan", first, "--against", "job_zzz")
        #expect(misspelt.exitCode == 2 && misspelt.errors.contains("“job_zzz” is neither a file nor a job's id"))
        #expect(none.errors.contains("none.json"), "\(none.errors)")
        // What could begin a job's id is asked of the farm, which is not there.
        let away = try await cutfarm.run("plan", first, "--against", "0199", "--coordinator", "http://127.0.0.1:1")
        #expect(away.exitCode != 0 && away.errors.contains("127.0.0.1:1"), "\(away.errors)")
    }

    /// Whoever lists or prunes where nothing was kept is told so, and nothing is made.
    @Test func listingMakesNoFolder() async throws {
        let cutfarm = try Cutfarm()
        let state = cutfarm.folder.path("none")
        for words in [["parts"], ["parts", "prune", "--keep", "0"]] {
            let outcome = try await Shell.run(Programs.cutfarm, words + ["--here", "--state", state])
            #expect(outcome.exitCode == 0 && outcome.text.contains("0 parts"), "\(outcome.text)\(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: state))
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: state + "/parts"))
        for words in [["--here", "--coordinator", "http://127.0.0.1:1"], ["--state", state]] {
            let outcome = try await Shell.run(Programs.cutfarm, ["parts"] + words)
            #expect(outcome.exitCode == 2 && outcome.errors.contains("--here"), "\(outcome.errors)")
        }
        let outcome = try await Shell.run(Programs.cutfarm, ["parts", "--here", "--state", state])
        #expect(outcome.exitCode == 2 && outcome.errors.contains("\(state)/parts is no folder"), "\(outcome.errors)")
    }

    /// Rotten bytes are found before they are taken.
    @Test func aPartThatHasRottedIsRenderedAgain() async throws {
        let (cutfarm, first, _) = try await prepare()
        let one = try await render(cutfarm, first)
        let folder = cutfarm.state + "/parts/bytes/"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            var bytes = try data(folder + name)
            bytes[bytes.count / 2] ^= 4
            // In place, as a disk does it.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + name))
            try file.write(contentsOf: bytes)
            try file.close()
        }
        let two = try await render(cutfarm, first)
        #expect(two.movie == one.movie)
        #expect(!two.said.contains("there already"), "\(two.said)")
        let three = try await render(cutfarm, first)
        #expect(three.movie == one.movie && three.said.contains("parts were there already"))
    }

    /// Killed at every moment of keeping, taking and pruning, the next run is as good as any.
    @Test(
        arguments: TestSeeds.asked(
            ["shelf.linked", "shelf.pruning", "shelf.lent", "parts.verified", "parts.taken", "complete.after-commit"],
            usual: ["parts.taken"]
        )
    )
    func aKilledRunSpoilsNothing(moment: String) async throws {
        let (cutfarm, first, trimmed) = try await prepare()
        let fresh = try data(try await cutfarm.render(trimmed, to: "fresh.mp4"))
        if moment.hasPrefix("parts") || moment == "shelf.lent" { _ = try await render(cutfarm, first) }
        await #expect(throws: Unexpected.self) {
            _ = try await render(cutfarm, trimmed, ["CUTFARM_CRASH_POINT=\(moment)"])
        }
        try await waitUntil { cutfarm.leftovers().allSatisfy { $0.hasPrefix("run-") } }
        let second = try await render(cutfarm, trimmed)
        #expect(second.movie == fresh)
        #expect(cutfarm.leftovers().isEmpty)
        let third = try await render(cutfarm, trimmed)
        #expect(third.movie == fresh && third.said.contains("parts were there already"))
    }

    @Test func runsAtTheSameTimeShareTheirParts() async throws {
        let (cutfarm, first, trimmed) = try await prepare()
        let fresh = try data(try await cutfarm.render(trimmed, to: "fresh.mp4"))
        async let other = cutfarm.run(
            ["render", trimmed, "-o", cutfarm.folder.path("other.mp4"), "--workers", "1"],
            keepsParts: true
        )
        _ = try await render(cutfarm, first)
        #expect(try await other.exitCode == 0)
        #expect(try data(cutfarm.folder.path("other.mp4")) == fresh)
        #expect(try await render(cutfarm, trimmed).movie == fresh)
    }

    /// The coordinator dies when it has just taken the parts of a job; the next one goes on with the same database.
    @Test(arguments: TestSeeds.asked(["parts.verified", "parts.taken"], usual: ["parts.taken"]))
    func aFarmTakesPartsThroughACrash(moment: String) async throws {
        let (cutfarm, first, trimmed) = try await prepare()
        let fresh = try data(try await cutfarm.render(trimmed, to: "fresh.mp4"))
        let farm = try await TestFarm(
            cutfarm,
            hasOwnDatabase: true,
            keepsParts: true,
            environment: ["CUTFARM_CRASH_POINT=\(moment)"]
        )
        let worker = try farm.worker("one")
        try await farm.wait(for: try await farm.submit(first))
        // The job is stored. Whether its submitter still gets the answer is a matter of luck.
        _ = try? await farm.submit(trimmed)
        #expect(try await farm.coordinator.wait() == 86)
        kill(worker.id, SIGTERM)
        _ = try await worker.wait()
        let again = try await TestFarm(cutfarm, hasOwnDatabase: true, keepsParts: true)
        let other = try again.worker("two")
        let newest = try await again.run("jobs", "--quiet", "--limit", "1").text
        let job = try #require(JobID(text: newest.trimmingCharacters(in: .whitespacesAndNewlines)))
        let report = try await again.wait(for: job)
        #expect(report.job.state == .completed && report.job.tasks.taken ?? 0 > 2)
        #expect(report.pictures.count { $0.isTaken == true } == report.pictures.count - 1)
        let output = cutfarm.folder.path("farm.mp4")
        #expect(try await again.run("fetch", job.description, "-o", output).exitCode == 0)
        #expect(try data(output) == fresh)
        try await again.stop([other])
    }
}
