import CompositionModel
import Foundation
import Planning
import Synchronization
import Testing
import Timing
import WireProtocol

@testable import Sandbox

/// The parent's side against a child that is played by this test.
@Suite struct RenderDialogueTests {
    private let ends: SocketPair
    private let child: Int32

    init() throws {
        ends = try SocketPair()
        child = ends.takeChild()
    }

    private func dialogue(_ onProgress: @escaping @Sendable (Int) -> Void = { _ in }) -> RenderDialogue {
        RenderDialogue(ends: ends, onNeed: { _, _ in nil }, onProgress: onProgress)
    }

    /// A child that says the same for ever is not heard for ever: its messages wait in the socket, not in memory.
    @Test func aChildThatTalksTooMuchWaits() async throws {
        defer { close(child) }
        let parts = RenderEvent.need(source: 0, block: 0)
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let dialogue = RenderDialogue(
            ends: ends,
            onNeed: { _, _ in
                ask.yield()
                try? await Task.sleep(for: .seconds(60))
                return nil
            },
            onProgress: { _ in }
        )
        let talk = Task { await dialogue.hold(.versions) }
        let sent = Mutex(0)
        let child = child
        Thread.detachNewThread {
            let channel = RenderChannel(descriptor: child)
            while (try? channel.send(parts)) != nil { sent.withLock { $0 += 1 } }
        }
        for await _ in asked { break }
        var (before, now) = (-1, 0)
        while before != now {
            before = now
            try await Task.sleep(for: .milliseconds(300))
            now = sent.withLock(\.self)
        }
        #expect(now < 50_000, "the socket holds some hundred kilobytes")
        talk.cancel()
        _ = await talk.value
    }

    @Test func progressOnlyGoesOn() async throws {
        let said = Mutex<[Int]>([])
        let talk = Task { await dialogue { permille in said.withLock { $0.append(permille) } }.hold(.versions) }
        let channel = RenderChannel(descriptor: child)
        for permille in [5, 5, 3, -7, 900, 2000, 1000] { try channel.send(RenderEvent.progress(permille: permille)) }
        try channel.send(RenderEvent.result(.artifact(unitCount: 7)))
        guard case .finished(.artifact(unitCount: 7), _) = await talk.value else {
            Issue.record("no result")
            return
        }
        #expect(said.withLock(\.self) == [5, 900, 1000])
        close(child)
    }

    /// A child that does not read, with a request that no socket holds.
    @Test func cancellingEndsARequestThatNobodyTakes() async throws {
        let request = RenderRequest.stitch(
            StitchRequest(
                task: RenderDialogueTests.stitch,
                pictureParts: (0..<50_000).map { "/parts/\($0)" },
                soundParts: [],
                output: "out"
            )
        )
        let talk = Task { await dialogue().hold(request) }
        try await Task.sleep(for: .milliseconds(200))
        talk.cancel()
        guard case .silent = await talk.value else {
            Issue.record("an end")
            return
        }
        close(child)
    }

    private static let stitch = StitchTask(
        container: .mp4,
        frameRate: (try? FrameRate(25)) ?? { preconditionFailure() }(),
        frameCount: 1,
        sampleRate: 48_000,
        sampleCount: 0,
        size: PictureSize(width: 2, height: 2),
        color: .bt709,
        partFrameCounts: [1],
        hasSound: false,
        rendererVersion: Renderer.version
    )
}
