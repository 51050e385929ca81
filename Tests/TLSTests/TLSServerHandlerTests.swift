import Logging
import NIOCore
import NIOEmbedded
import TLS
import TestSupport
import Testing

/// The handler without a network; what it says to real clients is tried in CoordinatorTests.
@Suite struct TLSServerHandlerTests {
    /// A connected channel on this thread, which is not to be left while it is used.
    private func channel(_ credentials: TestCredentials) throws -> EmbeddedChannel {
        let context = try ServerContext(certificateFile: credentials.certificate, keyFile: credentials.key)
        let channel = EmbeddedChannel()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try channel.pipeline.syncOperations.addHandler(
            TLSServerHandler(context, handshakeTimeout: .seconds(10), logger: logger)
        )
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func check(_ body: (EmbeddedChannel) throws -> Void) async throws {
        let credentials = try await TestCredentials()
        try body(channel(credentials))
    }

    private func failure(_ body: () throws -> Void) -> TLSError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? TLSError)?.code }
    }

    @Test func whatIsNoTLSEndsTheConnection() async throws {
        try await check { channel in
            let code = failure { try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n")) }
            #expect(code == .handshakeFailed)
            #expect(!channel.isActive)
        }
    }

    @Test func aHandshakeHasItsTime() async throws {
        try await check { channel in
            try channel.writeInbound(ByteBuffer(bytes: [22, 3, 1]))
            channel.embeddedEventLoop.advanceTime(by: .seconds(9))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(!channel.isActive)
            #expect(failure { try channel.throwIfErrorCaught() } == .handshakeTimeout)
        }
    }

    @Test func aClientThatLeavesInTheHandshakeIsAnError() async throws {
        try await check { channel in
            try channel.writeInbound(ByteBuffer(bytes: [22, 3, 1]))
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(failure { try channel.throwIfErrorCaught() } == .clientLeft)
            #expect(!channel.isActive)
        }
    }

    /// A client whose handshake with the channel is complete.
    private func connected(_ channel: EmbeddedChannel) throws -> TestClient {
        let client = try TestClient()
        var isComplete = false
        while !isComplete {
            isComplete = client.shakeHands()
            try exchange(client, channel)
        }
        return client
    }

    /// Gives each side what the other one said.
    private func exchange(_ client: TestClient, _ channel: EmbeddedChannel) throws {
        let said = client.said()
        if said.readableBytes > 0 { try channel.writeInbound(said) }
        while let answer = try channel.readOutbound(as: ByteBuffer.self) { client.receive(answer) }
    }

    private func heard(_ channel: EmbeddedChannel) throws -> String {
        var heard = ""
        while let part = try channel.readInbound(as: ByteBuffer.self) { heard += String(buffer: part) }
        return heard
    }

    @Test func plaintextGoesBothWays() async throws {
        try await check { channel in
            let client = try connected(channel)
            client.write("question")
            try exchange(client, channel)
            #expect(try heard(channel) == "question")
            try channel.writeOutbound(ByteBuffer(string: "answer"))
            try exchange(client, channel)
            #expect(client.read() == "answer")
        }
    }

    /// What came before such an end may not be all: nothing tells the next handler that it is.
    @Test func anEndWithoutGoodbyeIsTruncated() async throws {
        try await check { channel in
            let events = EventRecorder()
            try channel.pipeline.syncOperations.addHandler(events)
            let client = try connected(channel)
            client.write("half")
            try exchange(client, channel)
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(failure { try channel.throwIfErrorCaught() } == .truncated)
            #expect(!channel.isActive && events.closings == 0)
        }
    }

    @Test func aGoodbyeIsToldOnceAndWhatFollowsIsIgnored() async throws {
        try await check { channel in
            let events = EventRecorder()
            try channel.pipeline.syncOperations.addHandler(events)
            let client = try connected(channel)
            client.write("all")
            client.sayGoodbye()
            try exchange(client, channel)
            #expect(events.closings == 1)
            let reads = events.reads
            try channel.writeInbound(ByteBuffer(repeating: 0x17, count: 1 << 20))
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(events.closings == 1 && events.reads == reads && channel.isActive)
            #expect(try heard(channel) == "all")
            try channel.writeOutbound(ByteBuffer(string: "still answered"))
            try exchange(client, channel)
            #expect(client.read() == "still answered")
        }
    }

    /// The input that is closed here is told like one that the client closed.
    @Test func inputClosedHereIsTold() async throws {
        try await check { channel in
            let events = EventRecorder()
            try channel.pipeline.syncOperations.addHandler(events)
            let client = try connected(channel)
            channel.close(mode: .input, promise: nil)
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(events.closings == 1)
            client.write("late")
            try exchange(client, channel)
            #expect(try heard(channel) == "")
        }
    }

    /// Answers to key updates are the only bytes that a client makes the server keep without a request.
    @Test func answersThatAreNotReadEndTheConnection() async throws {
        try await check { channel in
            let client = try connected(channel)
            for _ in 0..<10_000 where channel.isActive {
                client.updateKeys()
                try exchange(client, channel)
            }
            #expect(channel.isActive, "a client that reads may ask as often as it likes")
            channel.isWritable = false
            var code: TLSError.Code?
            for _ in 0..<10_000 where code == nil {
                client.updateKeys()
                code = failure { try channel.writeInbound(client.said()) }
            }
            #expect(code == .answersUnread && !channel.isActive)
        }
    }

    @Test func whatWaitsForTheHandshakeFailsWithIt() async throws {
        try await check { channel in
            let written = channel.writeAndFlush(ByteBuffer(string: "early"))
            let said = try channel.readOutbound(as: ByteBuffer.self)
            #expect(said == nil, "nothing is said in clear")
            _ = try? channel.writeInbound(ByteBuffer(string: "HELO farm.test\r\nHELO farm.test\r\n"))
            #expect(throws: TLSError.self) { try written.wait() }
            #expect(throws: ChannelError.self) { try channel.writeAndFlush(ByteBuffer(string: "late")).wait() }
        }
    }

    @Test func aClosedConnectionLeavesNothingBehind() async throws {
        let credentials = try await TestCredentials()
        #expect(try handlerAfterClose(credentials) == nil)
    }

    private func handlerAfterClose(_ credentials: TestCredentials) throws -> TLSServerHandler? {
        let channel = try channel(credentials)
        weak let handler = try channel.pipeline.syncOperations.handler(type: TLSServerHandler.self)
        _ = try channel.finish()
        return handler
    }
}

/// Counts what a handler behind TLS hears and asks for.
private final class EventRecorder: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private(set) var closings = 0
    private(set) var reads = 0

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { closings += 1 }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reads += 1
        context.fireChannelRead(data)
    }
}
