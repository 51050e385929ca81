import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

@Suite struct LogTests {
    private func said(_ texts: [String]) -> LogLines {
        LogLines(lines: texts.map { LogLine(at: Date(timeIntervalSince1970: 1_000_000), text: $0) })
    }

    @Test func aFailedAttemptsLinesAreReadInSteps() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            _ = try farm.store.insertJob(FarmPieces.job())
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0)).first)
            let path = "/v1/attempts/\(grant.attempt)/log"
            #expect(try await farm.post(path, said(["started", "h264: \u{1b}[31mno frame!"])).status == 204)
            let failure = Failure(code: "x", message: "x", isPermanent: false)
            _ = try farm.store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
            #expect(try await farm.post(path, said(["failed"])).status == 204)
            let all = try await farm.call("GET", path, as: "viewer").decode(AttemptLog.self)
            #expect(all.lines.map(\.text) == ["started", "h264: ␛[31mno frame!", "failed"] && all.next == 3)
            let rest = try await farm.call("GET", path + "?after=2", as: "viewer").decode(AttemptLog.self)
            #expect(rest.lines.map(\.text) == ["failed"] && rest.next == 3)
            #expect(try await farm.call("GET", path + "?after=x", as: "viewer").status == 422)
        }
    }

    @Test func anUnknownAttemptHasNoLog() async throws {
        try await withCoordinator { farm in
            let path = "/v1/attempts/\(AttemptID(uuid: UUID()))/log"
            let answer = try await farm.call("GET", path, as: "viewer")
            #expect(answer.status == 404)
            #expect(try await farm.post(path, said(["x"])).status == 404)
            #expect(try await farm.post(path, said(Array(repeating: "", count: 1001))).status == 422)
            #expect(try await farm.post(path, said(["x"]), as: "viewer").status == 403)
        }
    }
}
