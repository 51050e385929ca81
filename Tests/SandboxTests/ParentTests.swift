import CompositionModel
import Foundation
import TestSupport
import Testing
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

    @Test func withoutItsParentTheChildEnds() async throws {
        let ends = try SocketPair()
        let child = try start(["--sandbox", "--", "run"], ends)
        try await Task.sleep(for: .milliseconds(300))
        #expect(child.isRunning)
        ends.hangUp()
        for _ in 0..<100 where child.isRunning { try await Task.sleep(for: .milliseconds(50)) }
        #expect(!child.isRunning)
        if child.isRunning { kill(child.processIdentifier, SIGKILL) }
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
        for _ in 0..<100 where child.isRunning { try await Task.sleep(for: .milliseconds(50)) }
        #expect(!child.isRunning)
    }

    /// Reads block: on a thread of their own, never on the pool that all tests share.
    private func lastEvent(from channel: RenderChannel) async -> RenderEvent? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var last: RenderEvent?
                while let event = try? channel.receive(RenderEvent.self) { last = event }
                continuation.resume(returning: last)
            }
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
