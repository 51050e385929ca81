import FarmSimulation
import Foundation
import Testing

@testable import Farm

@Suite struct SimulatorTests {
    /// `CUTFARM_SIMULATOR_SEEDS`: how many; `CUTFARM_SIMULATOR_FIRST`: from which, such as one that failed.
    private static let seeds = number("CUTFARM_SIMULATOR_SEEDS") ?? 300
    private static let first = number("CUTFARM_SIMULATOR_FIRST") ?? 0

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }

    private static func tables(_ seed: UInt64) -> FarmTables {
        FarmTables(policy: FarmPolicy(), identifiers: IdentifierSource(seed: seed))
    }

    /// Two halves, for two cores.
    @Test(arguments: [0, 1] as [UInt64])
    func everySeedIsSafeAndComesToItsEnd(half: UInt64) {
        var seen: [String: Int] = [:]
        for seed in stride(from: Self.first + half, to: Self.first + Self.seeds, by: 2) {
            let report = Simulator(seed: seed, farm: Self.tables(seed)).run()
            #expect(report.violations.isEmpty, "\(report)")
            seen.merge(report.seen, uniquingKeysWith: +)
        }
        let wanted = [
            "complete.accepted", "complete.alreadyDone", "complete.leaseLost", "expired", "forgave", "granted.again",
            "poll.repeated", "cancel.cancelled", "cancel.alreadyFinal", "job.completed", "job.failed",
            "failure.task_quarantined", "failure.asset_truncated", "hedged", "blocklisted",
            "hung", "rejected", "taken", "control.pause.done", "control.retry.done", "control.retry.notFailed",
            "granted.inWindow", "granted.afterOther", "failure.earlier_job_failed", "audited", "granted.audit",
            "claimed",
            "complete.delivered", "complete.differed", "convicted", "withdrawn",
        ]
        for outcome in wanted where Self.seeds >= 300 {
            #expect(seen[outcome, default: 0] > 0, "no seed reaches \(outcome)")
        }
    }

    @Test func aSeedRepeatsItselfToTheLastStep() {
        for seed in [3, 77] as [UInt64] {
            let first = Simulator(seed: seed, farm: Self.tables(seed)).run()
            let second = Simulator(seed: seed, farm: Self.tables(seed)).run()
            #expect(first.steps == second.steps)
            #expect(first.milliseconds == second.milliseconds)
            #expect(first.seen == second.seen)
        }
    }

    @Test(arguments: PlantedBug.allCases)
    func aPlantedBugIsFound(bug: PlantedBug) {
        for seed in 0..<300 as Range<UInt64> {
            let report = Simulator(seed: seed, farm: BrokenFarm(tables: Self.tables(seed), bug: bug)).run()
            if !report.violations.isEmpty { return }
        }
        Issue.record("300 seeds did not find \(bug)")
    }
}
