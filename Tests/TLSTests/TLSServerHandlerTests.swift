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
            #expect(failure { try channel.throwIfErrorCaught() } == .handshakeFailed)
            #expect(!channel.isActive)
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
