import Client
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import CLI

/// How soon a command sees the end of its job.
@Suite struct JobPollingTests {
    /// The clock stands still: only the end of the event stream can end the pause after the first answer.
    @Test func theEndOfTheEventsEndsThePause() async throws {
        let farm = try await ScriptedCoordinator()
        let job = try farm.job()
        try farm.server.serve(try WireJSON.encode(job), at: "/v1/jobs/\(job.id)/.bytes")
        try farm.server.script(["503 store_unavailable"], at: "/v1/jobs/\(job.id)")
        try farm.server.serve(Data(), at: "/v1/jobs/\(job.id)/events")
        let connection = try CoordinatorConnection(baseURL: farm.server.url, token: "secret", clock: TestClock())
        let watcher = JobWatcher(connection: connection, display: ProgressDisplay(json: false, quiet: true))
        #expect(try await watcher.follow(job.id).state == .completed)
        #expect(farm.server.count("GET", "/v1/jobs/\(job.id)") == 2)
    }

    /// An end that comes between two pauses is not lost, and shortens one pause only.
    @Test func onePauseIsEndedEarly() async throws {
        let clock = TestClock()
        let pause = InterruptiblePause(on: clock)
        pause.end()
        try await pause.wait(for: .seconds(1))
        async let second: Void = pause.wait(for: .seconds(2))
        try await clock.waitForSleep(of: .seconds(2))
        clock.advance(by: .seconds(2))
        try await second
        async let third: Void = pause.wait(for: .seconds(3))
        try await clock.waitForSleep(of: .seconds(3))
        pause.end()
        try await third
    }

    @Test func aCancelledPauseEnds() async throws {
        let clock = TestClock()
        let pause = InterruptiblePause(on: clock)
        let sleeping = Task { try await pause.wait(for: .seconds(1)) }
        try await clock.waitForSleep(of: .seconds(1))
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        try await waitUntil { clock.sleeps.isEmpty }
    }
}
