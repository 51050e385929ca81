import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What a farm did in a period.
@Suite struct ReportRoutesTests {
    private static let start = FarmTime(milliseconds: 1_800_000_000_000)

    private func query(_ seconds: Int64) -> String {
        Self.start.adding(milliseconds: seconds * 1000).date.formatted(.iso8601)
    }

    /// One job is completed at 20 s, one fails at 30 s, one waits, and one of somebody else was done before.
    @Test func itSaysWhatIsDoneWhatFailedAndWhatIsLeft() async throws {
        let time = Later()
        let clock = FarmClock { Self.start.adding(milliseconds: Int64(time.seconds * 1000)) }
        try await withCoordinator(clock: clock) { farm in
            let store = farm.store
            let worker = try await farm.registerWorker()
            func grant() async throws -> LeaseGrant {
                try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            }
            func complete(_ grant: LeaseGrant) throws {
                let part = FarmPieces.part("\(grant.task)")
                #expect(try store.complete(grant.attempt, FarmPieces.completion(worker, part)) == .accepted)
            }
            var late = try FarmPieces.job(title: "late", parts: 1)
            late.deadline = Self.start.adding(milliseconds: 15_000)
            late.tasks.removeLast()
            let done = try store.insertJob(late).job.id
            let first = try await grant()
            time.seconds = 20
            _ = try await store.renew(worker, [AttemptProgress(attempt: first.attempt, permille: 10)])
            try complete(first)
            let broken = try store.insertJob(FarmPieces.job(title: "broken", parts: 1)).job.id
            let second = try await grant()
            time.seconds = 30
            let failure = Failure(code: "asset_truncated", message: "It ends early.", isPermanent: true)
            _ = try store.fail(second.attempt, TaskFailure(worker: worker, failure: failure))
            var unfinished = try FarmPieces.job(owner: "other", title: "waiting", parts: 1)
            unfinished.deadline = Self.start.adding(milliseconds: 35_000)
            let waiting = try store.insertJob(unfinished).job.id
            _ = try store.control(waiting, .pause)
            time.seconds = 40

            func report(_ more: String = "", since: Int64 = 0) async throws -> FarmReport {
                let answer = try await farm.call("GET", "/v1/report?since=\(query(since))\(more)", as: "viewer")
                #expect(answer.status == 200, "\(answer.text)")
                return try answer.decode(FarmReport.self)
            }
            let all = try await report()
            #expect(all.until == Self.start.adding(milliseconds: 40_000).date)
            var totals = ReportTotals()
            (totals.completed, totals.failed, totals.unfinished, totals.late) = (1, 1, 1, 2)
            (totals.frames, totals.renderedFrames) = (25, 25)
            (totals.bytes, totals.workMilliseconds) = (all.totals.bytes, 30_000)
            #expect(all.totals == totals && all.totals.bytes > 0)
            #expect(all.completed.map(\.job.id) == [done] && all.unfinished.map(\.job.id) == [waiting])
            #expect(all.failed.map(\.job.id) == [broken] && all.failed.first?.job.failure == failure)
            #expect(all.failed.first?.advice?.hasPrefix("Replace or repair the source") == true)
            #expect(all.unfinished.first?.job.isPaused == true && all.unfinished.first?.job.waiting != nil)
            #expect(all.late.map(\.job.id) == [done, waiting] && all.late.allSatisfy { $0.job.deadlineWarning != nil })
            #expect(all.slowest.map(\.job.id) == [done, broken])
            #expect(all.slowest.map(\.workMilliseconds) == [20_000, 10_000])
            let machine = try #require(all.machines.first)
            #expect(all.machines.count == 1 && machine.completed == 1 && machine.failed == 1)
            #expect(machine.renderedFrames == 25 && machine.workMilliseconds == 30_000)
            // A later beginning, an earlier end, another owner.
            #expect(try await report(since: 25).completed.isEmpty)
            let early = try await report("&until=\(query(30))")
            #expect(early.totals.completed == 1 && early.totals.failed == 0, "the end is exclusive")
            let theirs = try await report("&owner=other")
            #expect(theirs.totals.completed == 0 && theirs.totals.unfinished == 1 && theirs.machines.isEmpty)
        }
    }

    @Test(
        arguments: [
            "", "?since=yesterday", "?since=2026-12-01T18:00", "?since=2026-12-01T18:00:00Z&until=2026-12-01T18:00:00Z",
        ]
    )
    func aPeriodThatIsNoneIsRefused(query: String) async throws {
        try await withCoordinator { farm in
            let answer = try await farm.call("GET", "/v1/report\(query)", as: "viewer")
            #expect(answer.status == 400 && answer.code == "invalid_request", "\(answer.text)")
        }
    }
}
