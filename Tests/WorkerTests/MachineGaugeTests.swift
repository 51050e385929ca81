import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Worker

/// What a worker says of its machine.
@Suite struct MachineGaugeTests {
    @Test func theMemoryOfChildrenIsCountedApart() async throws {
        let clock = TestClock()
        let gauge = MachineGauge(clock: clock)
        let folder = try TemporaryFolder()
        // A child of a child that holds 64 MiB, and says when it does.
        let ready = folder.path("ready")
        let hold = "x = b'x' * (64 << 20); open('\(ready)', 'w').close(); import sys; sys.stdin.read()"
        let child = try RunningProgram("/bin/sh", ["-c", "python3 -c \"$0\"; true", hold], log: folder.path("log"))
        try await waitUntil { FileManager.default.fileExists(atPath: ready) }
        let reading = try #require(await gauge.reading())
        #expect(reading.host == ProcessInfo.processInfo.hostName)
        #expect(reading.workerBytes > 1 << 20 && reading.workerBytes < reading.totalBytes)
        #expect(reading.renderBytes >= 64 << 20 && reading.renderBytes < reading.totalBytes)
        // People look every few seconds: it is not read at every heartbeat.
        #expect(await gauge.reading() == nil)
        clock.advance(by: .seconds(5))
        #expect(await gauge.reading() != nil)
        withExtendedLifetime(child) {}
    }
}
