import CompositionModel
import Foundation
import TestSupport
import Testing
import Threads
import WireProtocol

@testable import Sandbox

/// What the child does with a parent that is not as it should be.
@Suite struct ParentTests {
    private func start(_ arguments: [String], _ ends: SocketPair) throws -> Process {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: try RenderProgram.path())
        child.arguments = arguments
        let end = FileHandle(fileDescriptor: ends.takeChild(), closeOnDealloc: true)
        child.standardInput = end
        child.standardError = FileHandle.nullDevice
        try child.run()
        // A copy of the child's end held here would hide that the child has ended.
        try end.close()
        return child
    }

    /// While it waits for its request, and in the middle of hours of work.
    @Test(arguments: [false, true]) func withoutItsParentTheChildEnds(isWorking: Bool) async throws {
        let folder = try TemporaryFolder()
        let ends = try SocketPair()
        let child =
            isWorking
            ? try await startWorking(in: folder, ends)
            : try start(["--sandbox", "--rw", folder.url.path, "--", "run"], ends)
        ends.hangUp()
        try await waitUntil { !child.isRunning }
    }

    /// A child in the middle of hours of work, which writes in `folder`.
    private func startWorking(in folder: TemporaryFolder, _ ends: SocketPair) async throws -> Process {
        let child = try start(["--sandbox", "--rw", folder.url.path, "--", "run"], ends)
        let size = PictureSize(width: 640, height: 360)
        let channel = RenderChannel(descriptor: ends.parent)
        try channel.send(try RenderRequest.plainPicture(size, frames: 10_000_000, output: folder.path("part")))
        let event = await firstEvent(from: channel)
        guard case .progress = event else { throw NoWork(said: "\(String(describing: event))") }
        return child
    }

    private struct NoWork: Error { let said: String }

    /// The process that was started may be the supervisor of the one that works; when it is gone, both are.
    @Test func terminatedTheChildIsGoneAtOnce() async throws {
        let folder = try TemporaryFolder()
        let ends = try SocketPair()
        let child = try await startWorking(in: folder, ends)
        kill(child.processIdentifier, SIGTERM)
        await DedicatedThread.run { child.waitUntilExit() }
        #expect(RenderProgram.processes(with: folder.url.path).isEmpty)
        #expect(child.terminationReason == .uncaughtSignal && child.terminationStatus == SIGTERM)
    }

    /// Also where nothing hangs up.
    @Test(arguments: [SIGKILL, SIGUSR1]) func theChildEndsWithItsSupervisor(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let ends = try SocketPair()
        let child = try await startWorking(in: folder, ends)
        kill(child.processIdentifier, signal)
        try await waitUntil { RenderProgram.processes(with: folder.url.path).isEmpty }
        withExtendedLifetime(ends) {}
    }

    /// At any moment while the sandbox is set up.
    @Test func aSupervisorThatEndsEarlyLeavesNone() async throws {
        let folder = try TemporaryFolder()
        var open: [SocketPair] = []
        for step in 0..<60 {
            let ends = try SocketPair()
            open.append(ends)
            let child = try start(["--sandbox", "--rw", folder.url.path, "--", "run"], ends)
            await DedicatedThread.run {
                usleep(useconds_t(step * 1500))
                kill(child.processIdentifier, SIGKILL)
                child.waitUntilExit()
            }
        }
        try await waitUntil { RenderProgram.processes(with: folder.url.path).isEmpty }
        withExtendedLifetime(open) {}
    }

    @Test func withoutItsSandboxTheChildRefuses() async throws {
        let ends = try SocketPair()
        let child = try start(["run"], ends)
        let channel = RenderChannel(descriptor: ends.parent)
        try channel.send(RenderRequest.versions)
        let last = await lastEvent(from: channel)
        guard case .failure(let failure) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(failure.code == "sandbox_unavailable")
        try await waitUntil { !child.isRunning }
    }

    /// Reads block: on a thread of their own, never on the pool that all tests share.
    private func firstEvent(from channel: RenderChannel) async -> RenderEvent? {
        await DedicatedThread.run { try? channel.receive(RenderEvent.self) }
    }

    private func lastEvent(from channel: RenderChannel) async -> RenderEvent? {
        await DedicatedThread.run {
            var last: RenderEvent?
            while let event = try? channel.receive(RenderEvent.self) { last = event }
            return last
        }
    }

    /// A write to a child that is gone is an error, not SIGPIPE, which would end this process.
    @Test func sendingToNobodyIsAnError() throws {
        let ends = try SocketPair()
        close(ends.takeChild())
        #expect(throws: RenderChannel.Broken.self) {
            try RenderChannel(descriptor: ends.parent).send(RenderRequest.versions)
        }
    }

    @Test func aMessageLargerThanAnyIsRefused() throws {
        let ends = try SocketPair()
        let child = ends.takeChild()
        defer { close(child) }
        let length: [UInt8] = [0xff, 0xff, 0xff, 0xff]
        #expect(write(child, length, 4) == 4)
        let error = #expect(throws: RenderChannel.Broken.self) {
            try RenderChannel(descriptor: ends.parent).receive(RenderEvent.self)
        }
        #expect(error?.code == EMSGSIZE)
    }
}
