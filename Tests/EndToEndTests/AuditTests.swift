import Foundation
import TestSupport
import Testing
import WireProtocol

/// A worker whose memory flips a bit of each segment that it renders, in a farm that audits.
@Suite struct AuditTests {
    /// Every segment is rendered by the only two machines, and comes out differently: the job waits for a third one, which
    /// decides. The faulty worker is blocked, and the movie is that of an undisturbed farm.
    @Test func aWorkerThatFlipsABitIsCaughtAndBlocked() async throws {
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 4, of: 4)
        let farm = try await TestFarm(cutfarm)
        let one = try farm.worker("one", "--machine", "first")
        let undisturbed = try await farm.wait(for: try await farm.submit(edit, ["--segments", "4"]))

        let alone = try await farm.run("submit", edit, "--audit", "2%")
        #expect(alone.exitCode != 0 && alone.errors.contains("only “one” is connected"), "\(alone.errors)")

        let faulty = try farm.worker("faulty", "--machine", "second", environment: ["CUTFARM_SPOIL_PARTS=1"])
        try await waitUntil { try await self.workers(farm).contains { $0.name == "faulty" } }
        let job = try await farm.submit(edit, ["--segments", "4", "--audit", "100%"])
        let waiting = try await farm.wait(for: job) {
            $0.job.waiting?.sentence == "Waits for another machine to decide" && $0.job.audit?.differed == 4
        }
        #expect(waiting.pictures.allSatisfy { $0.state == .queued && $0.isAudited == true })
        #expect(waiting.job.waiting?.detail?.contains("one") == true, "\(String(describing: waiting.job.waiting))")

        let two = try farm.worker("two", "--machine", "third")
        let report = try await farm.wait(for: job)
        #expect(report.job.state == .completed)
        #expect(report.job.artifact == undisturbed.job.artifact)
        #expect(report.job.audit.map { $0.audited == $0.chosen } == true, "\(String(describing: report.job.audit))")
        #expect(report.shares["faulty"] == nil, "\(report.shares)")
        #expect(try await faulty.wait() == 0)
        let listed = try await farm.run("workers")
        #expect(listed.text.contains("“faulty” is blocked"), "\(listed.text)")
        #expect(listed.text.contains("is faulty"), "\(listed.text)")
        #expect(try await farm.run("show", job.description).text.contains("audited"))

        let again = try farm.worker("faulty", "--machine", "second")
        #expect(try await again.wait() == 3, "a blocked worker is refused")
        #expect(try await farm.run("unblock", "faulty").exitCode == 0)
        #expect(try await farm.run("unblock", "faulty").exitCode != 0)
        let lifted = try farm.worker("faulty", "--machine", "second")
        try await waitUntil { try await self.workers(farm).contains { $0.name == "faulty" && $0.blocked == nil } }
        try await farm.stop([one, two, lifted])
    }

    /// Its second machine leaves before it has rendered anything: the job says for what it waits.
    @Test func aJobWhoseAuditorLeavesSaysSo() async throws {
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 4, of: 4)
        let farm = try await TestFarm(cutfarm)
        // Nothing of the audited job begins before this one is completed.
        let first = try await farm.submit(edit, ["--segments", "1"])
        #expect(try await farm.run("pause", first.description).exitCode == 0)
        let one = try farm.worker("one", "--machine", "first")
        let other = try farm.worker("other", "--machine", "second")
        try await waitUntil { try await self.workers(farm).count { $0.kinds != [.stitch] } == 2 }
        #expect(try await farm.run("block", "other", "--reason", "its fans are loud").exitCode == 0)
        #expect(try await other.wait() == 0)
        let refused = try await farm.run("submit", edit, "--audit", "100%")
        #expect(refused.exitCode != 0 && refused.errors.contains("only “one”"), "\(refused.errors)")

        let third = try farm.worker("third", "--machine", "third")
        try await waitUntil { try await self.workers(farm).contains { $0.name == "third" } }
        let job = try await farm.submit(edit, ["--segments", "2", "--audit", "100%", "--after-job", first.description])
        third.send(SIGKILL)
        _ = try await third.wait()
        #expect(try await farm.run("resume", first.description).exitCode == 0)
        let report = try await farm.wait(for: job) { $0.job.waiting?.sentence == "Waits for a second machine" }
        #expect(report.job.waiting?.detail?.contains("“one”") == true)
        let fourth = try farm.worker("fourth", "--machine", "fourth")
        #expect(try await farm.wait(for: job).job.state == .completed)
        try await farm.stop([one, fourth])
    }

    private func workers(_ farm: TestFarm) async throws -> [WorkerView] {
        try WireJSON.decode([WorkerView].self, from: try await farm.run("workers", "--json").output)
    }
}
