import Foundation
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

    /// Whoever may submit writes the titles that others read.
    @Test func aTitleIsTextAndFits() async throws {
        var job = try await ScriptedCoordinator().job()
        job.title = "\u{1b}[31mred\nnew\u{202e}" + String(repeating: "long", count: 100)
        let lines = JobTable.text([job]).split(separator: "\n")
        #expect(lines.count == 2, "\(lines)")
        #expect(lines[1].contains("␛[31mred␊new\u{fffd}long"))
        #expect(!lines[1].contains("\u{1b}[31m") && lines[1].contains("…  ") && lines[1].count < 200, "\(lines[1])")
    }

    @Test(arguments: [
        (-5, "now"), (0, "now"), (5, "5 s ago"), (59, "59 s ago"), (60, "1 min ago"), (3599, "59 min ago"),
        (3600, "1 h ago"), (86_399, "23 h ago"), (86_400, "1 day ago"), (172_800, "2 days ago"),
    ])
    func theAgeOfAJobIsInOneUnit(seconds: Int, words: String) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(JobTable.age(of: now.addingTimeInterval(Double(-seconds)), at: now) == words)
    }
}
