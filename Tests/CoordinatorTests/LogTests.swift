import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

@Suite struct LogTests {
    private func said(_ texts: [String], by worker: WorkerID = WorkerID(uuid: UUID())) -> LogLines {
        LogLines(worker: worker, lines: texts.map { LogLine(at: Date(timeIntervalSince1970: 1_000_000), text: $0) })
    }

    @Test func aFailedAttemptsLinesAreReadInSteps() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            _ = try farm.store.insertJob(FarmPieces.job())
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let path = "/v1/attempts/\(grant.attempt)/log"
            #expect(
                try await farm.post(path, said(["started", "h264: \u{1b}[31mno frame!"], by: worker)).status == 204
            )
            let failure = Failure(code: "x", message: "x", isPermanent: false)
            _ = try farm.store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
            #expect(try await farm.post(path, said(["failed"], by: worker)).status == 204)
            let all = try await farm.call("GET", path, as: "viewer").decode(AttemptLog.self)
            #expect(all.lines.map(\.text) == ["started", "h264: ␛[31mno frame!", "failed"] && all.next == 3)
            let rest = try await farm.call("GET", path + "?after=2", as: "viewer").decode(AttemptLog.self)
            #expect(rest.lines.map(\.text) == ["failed"] && rest.next == 3)
            #expect(try await farm.call("GET", path + "?after=x", as: "viewer").status == 400)
        }
    }

    @Test func anUnknownAttemptHasNoLog() async throws {
        try await withCoordinator { farm in
            let path = "/v1/attempts/\(AttemptID(uuid: UUID()))/log"
            let answer = try await farm.call("GET", path, as: "viewer")
            #expect(answer.status == 404)
            #expect(try await farm.post(path, said(["x"])).code == "lease_lost")
            #expect(try await farm.post(path, said(Array(repeating: "", count: 1001))).status == 422)
            #expect(try await farm.post(path, said(["x"]), as: "viewer").status == 403)
        }
    }

    /// Each worker writes about its own attempts, while they run and a little later.
    @Test func onlyWhoHoldsAnAttemptWritesAboutIt() async throws {
        let time = Later()
        try await withCoordinator(
            clock: .init { FarmTime(milliseconds: 1_800_000_000_000 + Int64(time.seconds * 1000)) }
        ) {
            farm in
            let (worker, other) = (try await farm.registerWorker(), try await farm.registerWorker())
            _ = try farm.store.insertJob(FarmPieces.job())
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let path = "/v1/attempts/\(grant.attempt)/log"
            let refused = try await farm.post(path, said(["not mine"], by: other))
            #expect(refused.status == 409 && refused.code == "lease_lost", "\(refused.text)")
            #expect(try await farm.post(path, said(["mine"], by: worker)).status == 204)
            let failure = Failure(code: "x", message: "x", isPermanent: false)
            _ = try farm.store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
            time.seconds = 59
            #expect(try await farm.post(path, said(["late"], by: worker)).status == 204)
            time.seconds = 61
            #expect(try await farm.post(path, said(["too late"], by: worker)).code == "lease_lost")
            let log = try await farm.call("GET", path, as: "viewer").decode(AttemptLog.self)
            #expect(log.lines.map(\.text) == ["mine", "late"])
        }
    }

    /// However fast a worker sends lines, the row of its attempt is written a few times in ten seconds.
    @Test func linesComeAtAPace() {
        let clock = TestClock()
        let pace = LogPace(clock: clock)
        let (one, other) = (AttemptID(uuid: UUID()), AttemptID(uuid: UUID()))
        let (worker, stranger) = (WorkerID(uuid: UUID()), WorkerID(uuid: UUID()))
        for _ in 0..<30 { _ = pace.allows(one, by: stranger) }
        #expect((0..<30).count { _ in pace.allows(one, by: worker) } == LogPace.most)
        #expect(pace.allows(other, by: worker))
        clock.advance(by: .seconds(9))
        #expect(!pace.allows(one, by: worker))
        clock.advance(by: .seconds(1))
        #expect((0..<30).count { _ in pace.allows(one, by: worker) } == LogPace.most)
    }
}
