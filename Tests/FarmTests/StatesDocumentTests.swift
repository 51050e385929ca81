import Foundation
import Testing
import WireProtocol

@testable import Farm

/// `docs/states.md` names exactly the states that exist, and the numbers that hold.
@Suite struct StatesDocumentTests {
    private let text: String

    init() throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: "docs/states.md"), encoding: .utf8)
    }

    /// First cells of the tables below `heading`, without code marks.
    private func rows(below heading: String) throws -> [String] {
        let sections = text.components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix(heading) })
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
            line.split(separator: "`").dropFirst().first.map(String.init)
        }
    }

    @Test func everyStateIsExplained() throws {
        #expect(try rows(below: "Job") == JobState.allCases.map(\.rawValue))
        #expect(try rows(below: "Source") == SourceState.allCases.map(\.rawValue))
        #expect(try rows(below: "Task") == TaskState.allCases.map(\.rawValue))
        let attempts = AttemptView.State.allCases.map(\.rawValue)
        let outcomes = ["accepted", "delivered", "differed", "alreadyDone", "conflict", "leaseLost"]
        #expect(try rows(below: "Attempt") == attempts + outcomes)
        #expect(Set(outcomes) == Set(CompletionOutcome.allCases.map(\.rawValue)))
    }

    @Test func itsNumbersAreThePolicys() {
        let policy = FarmPolicy()
        let lease = policy.lease
        #expect((lease.leaseMilliseconds, lease.heartbeatMilliseconds, lease.stallMilliseconds) == (6000, 1500, 3000))
        #expect((lease.minimumDeadlineMilliseconds, lease.deadlineFactor) == (600_000, 50))
        #expect((policy.retry.quarantineAfterWorkers, policy.retry.quarantineAfterDeaths) == (3, 5))
        #expect((policy.retry.quarantineAfterLosses, policy.retry.giveUpAfterLosses) == (10, 30))
        #expect((policy.retry.giveUpAfter, policy.blocklistAfter) == (10, 3))
        #expect((policy.retry.firstDelayMilliseconds, policy.retry.longestDelayMilliseconds) == (500, 30_000))
        #expect(
            (policy.hedge.minimumSiblings, policy.hedge.factor, policy.hedge.minimumAgeMilliseconds) == (3, 2, 5000)
        )
        #expect(policy.workerAbsenceMilliseconds == 12_000)
    }
}
