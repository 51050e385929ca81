import CompositionModel
package import Farm
import WireProtocol

/// Holds one store against another: the same seeded random operations on both, every answer compared, and at the end
/// every table as the store shows it.
///
///     let model = InMemoryFarmStore(identifiers: IdentifierSource(seed: 7), clock: .standing(at: start))
///     let other = try await PostgresFarmStore(…, identifiers: IdentifierSource(seed: 7))
///     let report = await FarmConformance(seed: 7).compare(model, other)
///     #expect(report.violations.isEmpty)
///
/// Both must be empty, have equal policies, and draw identifiers from sources of equal seeds.
package struct FarmConformance: Sendable {
    package struct Report: Sendable {
        /// Empty when the stores agree. Else the seed, the operation and both answers; the run stops at the first.
        package var violations: [String] = []
        /// How often each kind of outcome was seen, so that a test can tell that the run was worth it.
        package var seen: [String: Int] = [:]
    }

    package static let start = FarmTime(milliseconds: 1_700_000_000_000)

    package let seed: UInt64
    package let operations: Int

    package init(seed: UInt64, operations: Int = 400) {
        self.seed = seed
        self.operations = operations
    }

    package func compare(_ first: any ClockedFarmStore, _ second: any ClockedFarmStore) async -> Report {
        var script = FarmScript(seed: seed)
        var report = Report()
        for step in -1..<operations {
            let operation = step < 0 ? .setClock(FarmConformance.start) : script.next()
            guard let answer = await compare(operation, first, second, step, &report) else { return report }
            script.note(operation, answer)
        }
        for operation in script.closing() {
            guard await compare(operation, first, second, operations, &report) != nil else { return report }
        }
        return report
    }

    /// - Returns: the common answer, or nil with a violation reported.
    private func compare(
        _ operation: FarmOperation,
        _ first: any ClockedFarmStore,
        _ second: any ClockedFarmStore,
        _ step: Int,
        _ report: inout Report
    ) async -> FarmAnswer? {
        let expected = await operation.perform(on: first)
        let actual = await operation.perform(on: second)
        for outcome in expected.outcomes { report.seen[outcome, default: 0] += 1 }
        guard expected != actual else { return expected }
        report.violations.append(
            "seed \(seed), step \(step): \(operation)\n  first:  \(expected)\n  second: \(actual)"
        )
        return nil
    }
}

extension FarmAnswer {
    /// Words for the tally.
    fileprivate var outcomes: [String] {
        switch self {
        case .completions(let outcomes): outcomes.map { "complete." + $0.rawValue }
        case .failure(let outcome): ["fail." + outcome.rawValue]
        case .readings(let rounds): [rounds.map { $0.isEmpty ? "readings.none" : "readings.some" } ?? "readings.lost"]
        case .rejected(let tasks): [tasks.isEmpty ? "reject.nothing" : "reject.some"]
        case .withdrawn(let found): [found.isEmpty ? "withdraw.nothing" : "withdraw.some"]
        case .cancel(let outcome): ["cancel." + outcome.rawValue]
        case .sweep(.forgave): ["sweep.forgave"]
        case .sweep(.advanced(let expired)): [expired > 0 ? "sweep.expired" : "sweep.nothing"]
        case .polls(let outcomes):
            outcomes.map { outcome in
                if case .granted(let grants) = outcome {
                    grants.isEmpty ? "poll.nothing" : "poll.granted"
                } else {
                    "poll.unknown"
                }
            }
        case .heartbeats(let outcomes):
            outcomes.flatMap { outcome in
                guard case .renewed(let reply) = outcome else { return ["renew.unknown"] }
                return [reply.lost.isEmpty ? "renew.held" : "renew.lost"] + (reply.drain ? ["drain"] : [])
            }
        case .jobs(let jobs): jobs.map { $0.awaitedVersions == nil ? "job.hasWorkers" : "job.waits" }
        case .events(let events): events.map { ($0.task == nil ? "job." : "task.") + $0.state }
        case .tasks(let tasks):
            tasks.compactMap { $0.failure.map { "failure." + $0.code } }
                + tasks.flatMap(\.attempts).map { "attempt." + $0.state.rawValue }
        case .control(let outcome): ["control." + outcome.rawValue]
        case .standings(let standings):
            standings.values.map { $0.efforts.isEmpty ? "standing.idle" : "standing.busy" }
        case .layout(let layout): [layout == nil ? "layout.none" : "layout.some"]
        case .logged(let isLogged): [isLogged ? "said.kept" : "said.refused"]
        case .told(let isTold): [isTold ? "late.told" : "late.known"]
        case .undrained(let isThere): [isThere ? "undrain.done" : "undrain.silent"]
        case .spans(let spans): [spans.isEmpty ? "spans.none" : "spans.some"]
        case .accepted(let parts): [parts.isEmpty ? "accepted.none" : "accepted.some"]
        case .pruned(let count): [count > 0 ? "prune.some" : "prune.nothing"]
        case .taken(let tasks): [tasks.isEmpty ? "take.nothing" : "take.some"]
        case .parts(let parts): [parts.isEmpty ? "parts.none" : "parts.some"]
        case .log(let log): [log.map { $0.lines.isEmpty ? "log.empty" : "log.some" } ?? "log.unknown"]
        case .tally(let tally): [tally.queuedTasks.isEmpty ? "tally.idle" : "tally.queued"]
        case .error(let error): ["error." + error.code]
        default: []
        }
    }
}
