import Testing
import WireProtocol

@testable import CLI

/// What `jobs` and `show` print for people.
@Suite struct JobTableTests {
    @Test func aJobThatWaitsForVersionsSaysSoWithoutHavingFailed() async throws {
        var job = try await ScriptedCoordinator().job()
        job.state = .rendering
        #expect(!JobTable.text([job]).contains("waits"))
        job.awaitedVersions = "renderer 3, libavcodec 59.37.100"
        let lines = JobTable.text([job, job]).split(separator: "\n")
        #expect(lines.count == 4, "the versions are said once")
        #expect(lines[1].contains("rendering, waits"))
        #expect(
            lines[3] == "Waits: no worker or coordinator that is here and takes work has renderer 3, libavcodec "
                + "59.37.100. Start one, or cancel the job and submit it again."
        )
        job.onHold = "The coordinator's disk is nearly full."
        let held = JobTable.text([job, job]).split(separator: "\n")
        #expect(held.count == 4 && held[3] == "Waits: The coordinator's disk is nearly full.", "\(held)")
    }
}
