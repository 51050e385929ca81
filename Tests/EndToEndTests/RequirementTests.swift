import Foundation
import TestSupport
import Testing
import WireProtocol

@Suite struct RequirementTests {
    /// A job that the only worker cannot do waits and says why; a worker that has what it requires does it alone.
    @Test func tasksGoToWorkersThatHaveWhatTheirJobRequires() async throws {
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 4, of: 4)
        let farm = try await TestFarm(cutfarm)
        let plain = try farm.worker("plain")
        let bad = try await farm.run("submit", edit, "--require", "colour=red")
        #expect(bad.exitCode == 2 && bad.errors.contains("“colour=red” is no requirement"), "\(bad.errors)")
        let required = ["--require", "tag=room-2", "--require", "memory=1MB"]
        let job = try await farm.submit(edit, ["--segments", "3"] + required)
        let waiting = try await farm.wait(for: job) { $0.job.waiting?.sentence == "No worker has what it requires" }
        let detail = try #require(waiting.job.waiting?.detail)
        #expect(detail.contains("Required is tag=room-2.") && detail.contains("“plain” (no tags;"), "\(detail)")

        let tagged = try farm.worker("tagged", "--tag", "gpu", "--tag", "room-2")
        let report = try await farm.wait(for: job)
        #expect(report.job.state == .completed)
        #expect(Set(report.shares.keys) == ["tagged"], "\(report.shares)")
        #expect(try await farm.run("show", job.description).text.contains("Requires memory=1MB, tag=room-2."))
        try await farm.stop([plain, tagged])
    }
}
