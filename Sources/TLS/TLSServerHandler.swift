package import Logging
package import NIOCore

/// The server's side of TLS in a channel: ciphertext on the side of the network, plaintext on the other. The first
/// handler of its pipeline.
///
/// ```
/// handshaking ──done──► open ──fail, close, channelInactive──► over
///      └──────timeout, fail, close, channelInactive────────────►
/// ```
///
/// Nothing is kept back but the record that has not come whole and what is written before the handshake is complete:
/// reading stops and writing waits as without TLS. `close_notify` of the client is told as `ChannelEvent.inputClosed`,
/// so that it is still answered; a connection that ends without it is an error, ``TLSError/Code/truncated``. The
/// channel must allow remote half-closure (`ChannelOptions.allowRemoteHalfClosure`).
package final class TLSServerHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    enum Phase {
        case handshaking
        case open
        case over
    }

    struct PendingWrite {
        var plaintext: ByteBuffer
        let promise: EventLoopPromise<Void>?
    }

    let session: Session
    let logger: Logger
    private let handshakeTimeout: TimeAmount
    private var handshakeTimer: Scheduled<Void>?
    /// The client's address, asked for while it is connected; for the log.
    private var peer = "unknown"
    var phase = Phase.handshaking
    /// The client said that it sends nothing more, or the input was closed here.
    var inputEnded = false
    /// The next handler was told `ChannelEvent.inputClosed`.
    var isInputEndTold = false
    /// `close_notify` was sent: nothing more can be.
    var outputEnded = false
    /// Plaintext was handed on since the last `channelReadComplete`.
    var hasDelivered = false
    var isSending = false
    /// Bytes of plaintext that are encrypted and not sent.
    var unsentBytes = 0
    /// Bytes of handshake and control messages since the client last read what it was sent.
    var unreadAnswers = 0
    /// What was sent last. Its memory is used again once the channel has let go of it.
    private var output = ByteBuffer()
    /// Written and not yet encrypted; marked up to where it was flushed.
    var pending = MarkedCircularBuffer<PendingWrite>(initialCapacity: 4)

    /// - Parameters:
    ///   - context: the server's; shared by its connections.
    ///   - handshakeTimeout: from the connection's begin to the end of the handshake.
    ///   - logger: is told in one sentence why a connection failed.
    /// - Throws: ``TLSError`` when memory runs out.
    package init(_ context: ServerContext, handshakeTimeout: TimeAmount, logger: Logger) throws(TLSError) {
        session = try Session(context)
        self.handshakeTimeout = handshakeTimeout
        self.logger = logger
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { end(ChannelError.ioOnClosedChannel) }

    private func begin(_ context: ChannelHandlerContext) {
        peer = context.remoteAddress.map { "\($0.ipAddress ?? "?"):\($0.port ?? 0)" } ?? peer
        handshakeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: handshakeTimeout) { [self] in
            if phase == .handshaking { fail(.handshakeTimeout, context) }
        }
    }

    func open() {
        phase = .open
        handshakeTimer?.cancel()
        handshakeTimer = nil
    }

    /// Ends the connection for `error`: the client is sent an alert if OpenSSL made one, the next handler an error.
    func fail(_ error: TLSError, _ context: ChannelHandlerContext) {
        guard phase != .over else { return }
        logger.log(
            level: error.isCommon ? .debug : .info,
            "\(error)",
            metadata: ["code": "\(error.code.rawValue)", "peer": "\(peer)"]
        )
        end(error)
        sendOutput(nil, context)
        context.fireErrorCaught(error)
        context.close(mode: .all, promise: nil)
    }

    /// Sends the ciphertext there is.
    /// - Parameter promise: kept when it, and all before it, is written.
    /// - Returns: bytes of ciphertext.
    @discardableResult
    func sendOutput(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) -> Int {
        session.takeOutput(&output)
        unsentBytes = 0
        let count = output.readableBytes
        if count > 0 || promise != nil { context.writeAndFlush(wrapOutboundOut(output), promise: promise) }
        return count
    }

    /// Nothing is encrypted or decrypted any more.
    func end(_ reason: any Error) {
        phase = .over
        handshakeTimer?.cancel()
        handshakeTimer = nil
        while let write = pending.popFirst() { write.promise?.fail(reason) }
    }
}

@available(*, unavailable)
extension TLSServerHandler: Sendable {}
