import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes connections that hold the server up: bodies that trickle, answers that are not taken, and requests whose body
/// goes on after they were refused. One for each connection, on its event loop.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private var isReadingBody = false
    /// Whether the server wants bytes; otherwise it is the server that is slow.
    private var isAskingForBytes = false
    /// The bytes of the body that came in the current window.
    private var bytesInWindow = 0
    private var bodyTimer: Scheduled<Void>?
    private var answerTimer: Scheduled<Void>?
    /// Whether the connection serves no other request: the answer began before its request had ended, or says so.
    private var isRefusing = false
    /// Whether the rest of the request is thrown away.
    private var isDropping = false
    /// Whether the last request that is passed on has come: where it ends is not sure.
    private var isLast = false
    /// Whether what comes belongs to a request that is not passed on.
    private var isBehind = false
    /// The bytes that were thrown away.
    private var droppedBytes = 0

    init(limits: ConnectionLimits) { self.limits = limits }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isReadingBody = true
            // What follows a request whose end is not sure may be somebody else's. It may come before that is answered.
            isBehind = isLast || isDropping
            guard !isBehind else { return }
            isLast = head.headerFields.hasUnknownEncoding
            watchBody(context)
        case .body(let bytes):
            bytesInWindow += bytes.readableBytes
            if isDropping || isBehind {
                droppedBytes += bytes.readableBytes
                return
            }
        case .end:
            isReadingBody = false
            bodyTimer?.cancel()
            guard !isBehind else { return }
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        isAskingForBytes = true
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isAskingForBytes = false
        context.fireChannelReadComplete()
    }

    /// Begins a window, at whose end a body that brought too little closes the connection.
    private func watchBody(_ context: ChannelHandlerContext) {
        bytesInWindow = 0
        bodyTimer?.cancel()
        bodyTimer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.bodyWindow) { [self] in
            guard isReadingBody else { return }
            if isAskingForBytes, bytesInWindow < limits.bodyBytes {
                context.close(promise: nil)
            } else {
                watchBody(context)
            }
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case _ where isDropping:
            // The server answers once more when it then reads what follows; the client has its answer.
            promise?.succeed()
        case .head(var head)
        where head.status.kind != .informational && (isReadingBody || head.headerFields[.connection] == "close"):
            isRefusing = true
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where isRefusing:
            context.writeAndFlush(data, promise: promise)
            isDropping = true
            linger(context, droppedBefore: 0)
        default:
            context.write(data, promise: promise)
        }
    }

    /// Closes the connection some time after its answer: once the request has ended, too little of it comes, or too much.
    private func linger(_ context: ChannelHandlerContext, droppedBefore: Int) {
        context.eventLoop.assumeIsolated().scheduleTask(in: limits.linger) { [self] in
            let isSending = isReadingBody && droppedBytes - droppedBefore >= limits.bodyBytes
            if isSending, droppedBytes < limits.droppedBytes {
                linger(context, droppedBefore: droppedBytes)
            } else {
                context.close(promise: nil)
            }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answerTimer?.cancel()
        if !context.channel.isWritable {
            answerTimer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.stalledAnswer) {
                context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        bodyTimer?.cancel()
        answerTimer?.cancel()
        context.fireChannelInactive()
    }
}
