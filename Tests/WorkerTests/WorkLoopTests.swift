import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Worker

/// A worker against a coordinator that says what it is told to.
@Suite struct WorkLoopTests {
    private func completed(_ farm: ScriptedFarm) throws -> TaskCompletion {
        try WireJSON.decode(TaskCompletion.self, from: try #require(farm.server.sent(to: farm.completion).last))
    }

    private func failed(_ farm: ScriptedFarm) throws -> Failure {
        try WireJSON.decode(TaskFailure.self, from: try #require(farm.server.sent(to: farm.failure).last)).failure
    }

    @Test func fromGrantToAcceptance() async throws {
        let farm = try await ScriptedFarm()
        try await farm.run { $0.server.count("POST", $0.completion) == 1 && $0.unfinished.isEmpty }
        let completion = try completed(farm)
        #expect(completion.artifact == ContentDigest(of: farm.source))
        #expect(completion.byteCount == Int64(farm.source.count))
        #expect(completion.unitCount == 120)
        #expect(completion.statistics.fetchedBytes == Int64(farm.source.count))
        #expect(farm.server.file(farm.artifact) == farm.source)
        #expect(farm.server.count("POST", farm.failure) == 0)
    }

    @Test func aFailureIsReportedOnce() async throws {
        let farm = try await ScriptedFarm(FakeRenderer.fails)
        try await farm.run { $0.server.count("POST", $0.failure) == 1 }
        #expect(try failed(farm).code == "asset_damaged")
        #expect(farm.server.count("POST", farm.completion) == 0)
        #expect(farm.unfinished.isEmpty)
    }

    /// What the render process said goes before the failure that it explains, without this worker's paths.
    @Test func whatAFailedAttemptSaidIsSent() async throws {
        let farm = try await ScriptedFarm(FakeRenderer.speaks + FakeRenderer.fails)
        try await farm.run { $0.server.count("POST", $0.failure) == 1 }
        let path = "/v1/attempts/\(farm.grant.attempt)/log"
        let said = try farm.server.sent(to: path).flatMap { try WireJSON.decode(LogLines.self, from: $0).lines }
        #expect(said.first?.text.hasPrefix("started: picture on ") == true)
        #expect(said.map(\.text).contains("h264: x is odd"), "\(said)")
        #expect(said.last?.text == "failed: The clip is damaged.")
        let order = farm.server.log.filter { $0.hasPrefix("POST \(path) ") || $0.hasPrefix("POST \(farm.failure) ") }
        #expect(order.last?.hasPrefix("POST \(farm.failure) ") == true)
    }

    /// A heartbeat is sending lines when the attempt fails: the failure goes after them.
    @Test func linesKeepTheirOrder() async throws {
        let farm = try await ScriptedFarm(FakeRenderer.speaks + FakeRenderer.untilLinesAreTaken + FakeRenderer.fails)
        let path = "/v1/attempts/\(farm.grant.attempt)/log"
        try farm.server.script(["late"], at: path)
        try await farm.run { $0.server.count("POST", $0.failure) == 1 }
        let said = try farm.server.sent(to: path).flatMap { try WireJSON.decode(LogLines.self, from: $0).lines }
        #expect(said.last?.text == "failed: The clip is damaged.", "\(said.map(\.text))")
        #expect(farm.server.log.last { $0.contains("POST") && $0.contains("/attempts/") }?.contains("/fail") == true)
    }

    /// Half of the upload's answer was lost: the bytes do not move again.
    @Test func anUploadWithoutAnswerIsNotSentAgain() async throws {
        let farm = try await ScriptedFarm()
        try farm.server.script(["404 artifact_missing", "cut"], at: farm.artifact)
        try await farm.run { $0.server.count("POST", $0.completion) == 1 }
        #expect(farm.server.count("PUT", farm.artifact) == 1)
        #expect(farm.server.count("HEAD", farm.artifact) == 2)
    }

    @Test func anArtifactThatTheCoordinatorDoesNotHaveIsSentAgain() async throws {
        let farm = try await ScriptedFarm()
        try farm.server.script(["404 artifact_missing", "go", "go"], at: farm.artifact)
        try farm.server.script(["409 artifact_missing"], at: farm.completion)
        try await farm.run { $0.server.count("POST", $0.completion) == 2 }
        #expect(farm.server.count("PUT", farm.artifact) == 2)
        #expect(farm.server.count("POST", farm.failure) == 0)
    }

    /// The coordinator has a file of that name, cut short by a crash: asked whether it is there it says yes.
    @Test func aDamagedCopyIsReplaced() async throws {
        let farm = try await ScriptedFarm()
        try farm.server.serve(farm.source.prefix(1000), at: farm.artifact)
        try farm.server.script(["422 artifact_size"], at: farm.completion)
        try await farm.run { $0.server.count("POST", $0.completion) == 2 }
        #expect(farm.server.file(farm.artifact) == farm.source)
        #expect(farm.server.count("PUT", farm.artifact) == 1)
        #expect(farm.server.count("POST", farm.failure) == 0)
    }

    /// A coordinator without room is there, and says so: the part is not sent until the deadline, the farm hears of it.
    @Test(arguments: ["507 no_space", "500 storage_failed"])
    func aFullDiskAtTheCoordinatorIsReported(answer: String) async throws {
        let farm = try await ScriptedFarm()
        let missing = "404 artifact_missing"
        try farm.server.script([missing, answer, missing, answer, missing, answer], at: farm.artifact)
        try await farm.run { $0.server.count("POST", $0.failure) == 1 }
        #expect(try failed(farm).code == answer.dropFirst(4))
        #expect(try !failed(farm).isPermanent)
        #expect(farm.server.count("PUT", farm.artifact) == 3)
        #expect(farm.unfinished.isEmpty)
    }

    /// Where things lie on a worker is its own affair.
    @Test func aFailureNamesNoPaths() async throws {
        let farm = try await ScriptedFarm()
        let hidden = farm.folder.path("scratch")
        try FileManager.default.removeItem(atPath: hidden)
        try Data().write(to: URL(fileURLWithPath: hidden))
        try await farm.run { $0.server.count("POST", $0.failure) == 1 }
        let message = try failed(farm).message
        #expect(!message.contains(farm.folder.url.path), "\(message)")
    }

    /// What passes without anybody's doing is waited for.
    @Test
    func aBusyStoreIsNoReasonToGiveUp() async throws {
        let farm = try await ScriptedFarm()
        let missing = "404 artifact_missing"
        let busy = Array(repeating: [missing, "503 store_unavailable"], count: 4).flatMap(\.self)
        try farm.server.script(busy + [missing, "go"], at: farm.artifact)
        try await farm.run { $0.server.count("POST", $0.completion) == 1 }
        #expect(farm.server.count("POST", farm.failure) == 0)
    }

    /// No answer, then a refusal that may pass: the finished work is neither thrown away nor failed.
    @Test func aCompletionIsRepeatedUntilItIsAnswered() async throws {
        let farm = try await ScriptedFarm()
        try farm.server.script(["drop", "503 store_unavailable"], at: farm.completion)
        try await farm.run { $0.server.count("POST", $0.completion) == 3 && $0.unfinished.isEmpty }
        #expect(farm.server.count("PUT", farm.artifact) == 1)
        #expect(farm.server.count("POST", farm.failure) == 0)
    }

    /// As after a cancellation: the render child, which would wait for ever, is ended, and the worker says nothing more
    /// of the task.
    @Test func aLostLeaseEndsTheWork() async throws {
        let farm = try await ScriptedFarm(FakeRenderer.waits)
        try await farm.run { farm in
            guard FileManager.default.fileExists(atPath: farm.folder.path("started")) else { return false }
            try? farm.reply(HeartbeatReply(renewed: [], lost: [farm.grant.attempt], drain: false), to: farm.heartbeats)
            return farm.unfinished.isEmpty
        }
        let child = try String(contentsOfFile: farm.folder.path("started"), encoding: .utf8)
        #expect(kill(try #require(pid_t(child)), 0) == -1 && errno == ESRCH, "the render child \(child) lives on")
        #expect(farm.server.count("POST", farm.completion) == 0)
        #expect(farm.server.count("POST", farm.failure) == 0)
    }

    /// As at the end of a farm in one process: nobody is told, and no render process works on in the run's folder.
    @Test func cancellingBreaksTheWorkOff() async throws {
        let farm = try await ScriptedFarm(FakeRenderer.waits)
        let running = Task { try await farm.loop.run() }
        try await waitUntil { FileManager.default.fileExists(atPath: farm.folder.path("started")) }
        running.cancel()
        try await running.value
        let child = try String(contentsOfFile: farm.folder.path("started"), encoding: .utf8)
        #expect(kill(try #require(pid_t(child)), 0) == -1 && errno == ESRCH, "the render child \(child) lives on")
        #expect(farm.unfinished.isEmpty)
        #expect(farm.server.count("POST", farm.completion) == 0)
        #expect(farm.server.count("POST", farm.failure) == 0)
    }

    /// The coordinator is away for longer than a lease while the task needs its source: the worker asks again and again,
    /// goes on when the coordinator is back, as the same attempt, and reports no failure.
    @Test func aCoordinatorThatIsAwayCostsNoAttempt() async throws {
        let clock = TestClock()
        let renderer = FakeRenderer.waits + "\n" + FakeRenderer.copiesItsSource
        let farm = try await ScriptedFarm(renderer, leaseMilliseconds: 6000, clock: clock)
        async let running: Void = farm.loop.run()
        try await waitUntil { FileManager.default.fileExists(atPath: farm.folder.path("started")) }
        farm.server.isAway = true
        try #require(FileManager.default.createFile(atPath: farm.folder.path("go"), contents: nil))
        // Each pause follows a request for the source that nobody answered.
        for pause in [250, 500, 1000, 2000, 4000] as [Int] {
            try await clock.waitForSleep(of: .milliseconds(pause))
            clock.advance(by: .milliseconds(pause))
        }
        try await clock.waitForSleep(of: .seconds(4))
        #expect(farm.server.count("GET", farm.asset) == 0)
        #expect(!farm.unfinished.isEmpty)
        farm.server.isAway = false
        clock.advance(by: .seconds(4))
        try await waitUntil { farm.server.count("POST", farm.completion) == 1 }
        await farm.loop.leave(within: .zero)
        try await running
        #expect(try completed(farm).artifact == ContentDigest(of: farm.source))
        #expect(farm.server.count("POST", farm.failure) == 0)
        #expect(farm.server.count("POST", "/v1/workers") == 1)
    }

    /// Whatever was asked: without a token that is known nothing will be answered.
    @Test(arguments: [401, 403], ["/v1/workers", "/v1/leases:poll", "heartbeat", "complete"])
    func aRefusedTokenEndsTheWorker(status: Int, question: String) async throws {
        let farm = try await ScriptedFarm()
        let path = ["heartbeat": farm.heartbeats, "complete": farm.completion][question] ?? question
        try farm.server.script(["\(status) unauthorized"], at: path)
        let error = await #expect(throws: WorkerRefused.self) { try await farm.loop.run() }
        #expect(error?.description.contains(status == 401 ? "--token-file or CUTFARM_TOKEN" : "Detail of 403.") == true)
        try await waitUntil { farm.unfinished.isEmpty }
    }

    @Test func otherVersionsEndTheWorkerAtItsRegistration() async throws {
        let farm = try await ScriptedFarm()
        try farm.server.script(["503 render_missing", "409 version_mismatch"], at: "/v1/workers")
        let error = await #expect(throws: WorkerRefused.self) { try await farm.loop.run() }
        #expect(error?.problem.code == "version_mismatch")
        #expect(farm.server.count("POST", "/v1/workers") == 2)
    }
}
