import FarmSimulation
import Testing

@testable import Farm

@Suite struct FarmConformanceTests {
    private func model(_ seed: UInt64, policy: FarmPolicy = FarmPolicy()) -> InMemoryFarmStore {
        InMemoryFarmStore(policy: policy, identifiers: IdentifierSource(seed: seed), clock: .system)
    }

    @Test func theModelAgreesWithItselfAndTheScriptReachesEveryOutcome() async {
        var seen: [String: Int] = [:]
        // Ten lost leases of one task, or three workers that died of it, are more than a script of 400 steps comes to.
        var policy = FarmPolicy()
        policy.retry.quarantineAfterLosses = 3
        policy.retry.quarantineAfterWorkers = 2
        policy.history.tasks = 12
        for seed in 0..<140 as Range<UInt64> {
            policy.quota.tasks = seed < 12 ? 60 : OwnerQuota().tasks
            let report = await FarmConformance(seed: seed).compare(
                model(seed, policy: policy),
                model(seed, policy: policy)
            )
            #expect(report.violations == [])
            seen.merge(report.seen, uniquingKeysWith: +)
        }
        let wanted = [
            "complete.accepted", "complete.alreadyDone", "complete.leaseLost", "complete.conflict", "fail.recorded",
            "fail.leaseLost", "cancel.cancelled", "cancel.alreadyFinal", "sweep.forgave", "sweep.expired",
            "poll.granted", "poll.nothing", "poll.unknown", "renew.held", "renew.lost", "renew.unknown", "drain",
            "job.completed",
            "job.failed", "job.cancelled", "job.stitching", "task.failed", "failure.task_quarantined",
            "failure.asset_truncated", "attempt.released", "attempt.superseded", "attempt.cancelled",
            "readings.lost", "reject.nothing", "reject.some", "readings.none", "readings.some",
            "job.waits", "job.hasWorkers", "error.unknown_worker", "error.unknown_job", "error.invalid_request",
            "error.idempotency_conflict", "error.quota_exceeded", "take.some", "take.nothing", "parts.some",
            "said.kept", "said.refused", "undrain.done", "undrain.silent", "log.some", "log.empty", "log.unknown",
            "late.told", "late.known", "job.late", "tally.idle", "tally.queued", "layout.some", "spans.some",
            "accepted.some",
            "complete.delivered", "complete.differed", "withdraw.some", "error.no_auditor", "error.target_taken",
            "prune.some", "control.done", "control.alreadyFinal", "control.notFailed", "control.pruned",
        ]
        for outcome in wanted { #expect(seen[outcome, default: 0] > 0, "never saw \(outcome)") }
    }

    @Test(
        arguments: [
            { $0.lease.leaseMilliseconds += 1 }, { $0.lease.stallMilliseconds += 2000 }, { $0.blocklistAfter = 1 },
            { $0.retry.firstDelayMilliseconds = 900 }, { $0.hedge.factor = 1 },
            { $0.retry.quarantineAfterWorkers = 2 }, { $0.retry.quarantineAfterLosses = 2 },
            { $0.quota.tasks = 40 }, { $0.quota.bytes = 200 }, { $0.history.tasks = 10 }, { $0.history.bytes = 60 },
        ] as [@Sendable (inout FarmPolicy) -> Void]
    )
    func aStoreThatDecidesOtherwiseIsFound(change: @Sendable (inout FarmPolicy) -> Void) async {
        var policy = FarmPolicy()
        change(&policy)
        for seed in 0..<200 as Range<UInt64> {
            let report = await FarmConformance(seed: seed).compare(model(seed), model(seed, policy: policy))
            if !report.violations.isEmpty { return }
        }
        Issue.record("200 seeds did not tell the stores apart")
    }
}
