import CompositionModel
import Foundation
import Planning
import Synchronization
import TestSupport
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

    /// A child that says the same for ever is not heard for ever: while one message is dealt with, all that come after
    /// it wait in the socket, not in memory.
    @Test func aChildThatTalksTooMuchWaits() async throws {
        defer { close(child) }
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let dialogue = RenderDialogue(
            ends: ends,
            onNeed: { _, _ in
                ask.yield()
                for await _ in answers { break }
                return nil
            },
            onProgress: { _ in }
        )
        let talk = Task { await dialogue.hold(.versions) }
        #expect(fcntl(child, F_SETFL, fcntl(child, F_GETFL) | O_NONBLOCK) == 0)
        let channel = RenderChannel(descriptor: child)
        let length = try messageLength()
        var questions = asked.makeAsyncIterator()
        var sent = 0
        for heard in 1...100 {
            // Until the socket is full: then sending would block.
            while (try? channel.send(Self.need)) != nil { sent += 1 }
            await questions.next()
            #expect(waiting(at: ends.parent) == (sent - heard) * length, "\(sent) messages were sent")
            answer.yield()
        }
        talk.cancel()
        _ = await talk.value
    }

    private static let need = RenderEvent.need(source: 0, block: 0)

    /// The bytes of ``need`` on its way.
    private func messageLength() throws -> Int {
        let pair = try SocketPair()
        let end = pair.takeChild()
        defer { close(end) }
        try RenderChannel(descriptor: end).send(Self.need)
        return waiting(at: pair.parent)
    }

    /// The bytes that were sent to a socket and not read: FIONREAD of unix(7).
    private func waiting(at descriptor: Int32) -> Int {
        var count: Int32 = 0
        _ = ioctl(descriptor, UInt(FIONREAD), &count)
        return Int(count)
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
        try await waitUntil { waiting(at: child) > 0 }
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
