import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

/// A farm of separate processes, used through the command line: what is shown, cancelled, drained, killed.
@Suite(.serialized)
struct FarmTests {
    /// A minute of moving picture with a keyframe every second, and edits that have it rendered in many segments.
    private func prepare() async throws -> (Cutfarm, edit: String) { try await Cutfarm.showing(seconds: 60, of: 60) }

    @Test func workIsSharedShownAndDelivered() async throws {
        let (cutfarm, edit) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let workers = try [farm.worker("one"), farm.worker("two")]
        let output = cutfarm.folder.path("out.mp4")
        let id = try await farm.submit(edit, ["--watch", "-o", output, "--segments", "8"])
        let report = try await farm.show(id)
        #expect(report.job.state == .completed && report.pictures.count == 8)
        for name in ["one", "two"] { #expect(report.shares[name, default: 0] >= 2, "\(report.shares)") }
        let listed = try WireJSON.decode([JobView].self, from: try await farm.run("jobs", "--json").output)
        #expect(listed.map(\.id) == [id])
        #expect(FileManager.default.fileExists(atPath: output))
        let again = try await farm.run("fetch", id.description, "-o", output)
        #expect(again.exitCode == 6)
        try await farm.stop(workers)
        #expect(ProcessList.naming(cutfarm.folder.url.path).isEmpty)
    }

    @Test func cancelLeavesNothing() async throws {
        let (cutfarm, edit) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let id = try await farm.submit(edit, ["--segments", "2"])
        try await farm.wait(for: id) { $0.job.tasks.leased > 0 }
        try await waitUntil { !farm.unfinished().isEmpty && [1, 2].contains(self.children(cutfarm)) }
        #expect(try await farm.run("cancel", id.description).exitCode == 0)
        try await waitUntil { farm.unfinished().isEmpty && self.children(cutfarm) == 0 }
        // A worker that does other work now has said all that it had to say of this.
        let short = try String(contentsOfFile: edit, encoding: .utf8).replacing("\"60s\"", with: "\"1s\"")
        try await farm.wait(for: try await farm.submit(try cutfarm.write("short.json", short)))
        let report = try await farm.show(id)
        #expect(report.job.state == .cancelled && report.job.tasks.leased == 0 && report.job.artifact == nil)
        #expect(report.tasks.allSatisfy { task in task.attempts.allSatisfy { $0.state != .live } })
        #expect(try await farm.run("watch", id.description).exitCode == 4)
        #expect(try await farm.run("show", String(id.description.dropLast(3))).text.contains(id.description))
        #expect(try await farm.run("show", "job_0").errors.contains("Several jobs' ids begin with “job_0”"))
        #expect(try await farm.run("show", "ff").errors.contains("No job's id begins with “ff”"))
        #expect(try await farm.run("jobs", "--state", "cancelled").text.contains(id.description))
        #expect(try await farm.run("jobs", "--search", "no such title").text.contains("job_") == false)
        #expect(try await Shell.run(Programs.cutfarm, ["health", "--coordinator", farm.address]).text == "ready\n")
        let nobody = try await Shell.run(Programs.cutfarm, ["health", "--coordinator", "http://127.0.0.1:1"])
        #expect(nobody.exitCode == 5, "\(nobody.errors)")
        let output = cutfarm.folder.path("out.mp4")
        #expect(try await farm.run("fetch", id.description, "-o", output).exitCode == 4)
        #expect(!FileManager.default.fileExists(atPath: output))
        try await farm.stop([worker])
    }

    /// Control-C, or Control-\, while `render` works: the farm it started goes with it.
    @Test(arguments: [SIGINT, SIGQUIT]) func interruptedItLeavesNothing(signal: Int32) async throws {
        let (cutfarm, edit) = try await prepare()
        let output = cutfarm.folder.path("out.mp4")
        let render = try RunningProgram(
            Programs.cutfarm,
            ["render", edit, "-o", output, "--workers", "2", "--state", cutfarm.state],
            log: cutfarm.folder.path("render.log")
        )
        try await waitUntil { self.children(cutfarm) > 0 && !cutfarm.leftovers().isEmpty }
        #expect(try await end(render, signal) == 130)
        #expect(cutfarm.leftovers().isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: cutfarm.folder.url.path)
        #expect(!names.contains { $0.hasPrefix("out.mp4") }, "\(names)")
    }

    /// Control-C as a terminal sends it, to the whole group of processes, at any moment of the start.
    @Test(arguments: TestSeeds.asked([0, 0.02, 0.05, 0.1, 0.2, 0.5], usual: [0.02, 0.2]))
    func interruptedWhileItStartsItLeavesNothing(seconds: Double) async throws {
        let (cutfarm, edit) = try await prepare()
        let words = ["render", edit, "-o", cutfarm.folder.path("out.mp4"), "--workers", "2", "--state", cutfarm.state]
        let render = try RunningProgram(
            "/usr/bin/setsid",
            [Programs.cutfarm] + words,
            log: cutfarm.folder.path("render.log")
        )
        try await waitUntil { !cutfarm.leftovers().filter { $0.hasPrefix("run-") }.isEmpty }
        try await Task.sleep(for: .seconds(seconds))
        kill(-render.id, SIGINT)
        #expect(try await render.wait() == 130)
        #expect(cutfarm.leftovers().isEmpty, "\(cutfarm.leftovers())")
    }

    @Test func aBadLineStopsNoOther() async throws {
        let (cutfarm, edit) = try await prepare()
        let short = try String(contentsOfFile: edit, encoding: .utf8).replacing("\"60s\"", with: "\"1s\"")
        _ = try cutfarm.write("short.json", short)
        let lines = ["{\"edit\": \"short.json\", \"output\": \"1.mp4\"}", "{\"edti\": \"x\"}", "not JSON"]
        let more = ["{\"edit\": \"none.json\"}", "{\"edit\": \"short.json\", \"output\": \"2.mp4\"}"]
        let manifest = try cutfarm.write("all.jsonl", (lines + more).joined(separator: "\n"))
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let outcome = try await farm.run("submit", "--manifest", manifest, "--watch", "--state", cutfarm.state)
        #expect(outcome.exitCode == 2)
        for words in ["all.jsonl:2", "all.jsonl:3", "none.json", "5 lines: 2 jobs submitted, 3 refused, 0 failed."] {
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
        for name in ["1.mp4", "2.mp4"] {
            #expect(FileManager.default.fileExists(atPath: cutfarm.folder.path(name)))
        }
        try await farm.stop([worker])
    }

    @Test func workersThatLeaveCostNoOutput() async throws {
        let (cutfarm, edit) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let undisturbed = try farm.worker("first")
        let first = try await farm.wait(for: try await farm.submit(edit, ["--segments", "3"]))
        #expect(try await end(undisturbed, SIGTERM) == 0)
        let drained = try farm.worker("drained", "--drain-seconds", "0")
        let second = try await farm.submit(edit, ["--segments", "3"])
        try await farm.wait(for: second) { $0.pictures.contains { $0.state == .leased } }
        #expect(try await end(drained, SIGTERM) == 0)
        let handedBack = try await farm.show(second)
        #expect(handedBack.job.tasks.leased == 0)
        #expect(handedBack.tasks.flatMap(\.attempts).allSatisfy { $0.state == .released || $0.state == .completed })
        let killed = try farm.worker("killed")
        try await farm.wait(for: second) { $0.tasks.contains { $0.isHeld(by: "killed") } }
        #expect(try await end(killed, SIGKILL) == 128 + SIGKILL)
        let lost = try await farm.show(second).tasks.filter { $0.isHeld(by: "killed") }.map(\.id)
        #expect(!lost.isEmpty)
        let last = try farm.worker("last", "--slots", "4")
        let report = try await farm.wait(for: second)
        #expect(report.job.state == .completed)
        for task in report.tasks where lost.contains(task.id) {
            // Nothing but the end of its lease freed the task.
            let place = try #require(task.attempts.firstIndex { $0.workerName == "killed" })
            #expect(task.attempts[place].failure?.code == "lease_expired", "\(task.attempts)")
            #expect(task.attempts[(place + 1)...].map(\.workerName) == ["last"], "\(task.attempts)")
        }
        #expect(report.job.artifact == first.job.artifact)
        try await farm.stop([last])
    }

    /// Render processes of this test.
    private func children(_ cutfarm: Cutfarm) -> Int {
        ProcessList.naming(cutfarm.folder.url.path).count { $0.contains("cutfarm-render") }
    }

    private func end(_ program: RunningProgram, _ signal: Int32) async throws -> Int32? {
        program.send(signal)
        return try await program.wait()
    }
}

extension TaskView {
    fileprivate func isHeld(by name: String) -> Bool {
        state == .leased && attempts.last.map { $0.workerName == name && $0.state == .live } ?? false
    }
}
