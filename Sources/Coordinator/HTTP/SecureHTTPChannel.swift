import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import TLS

/// HTTP/1.1 over TLS: the pipeline of plain HTTP with a TLS handler before it.
struct SecureHTTPChannel: HTTPChannelHandler {
    typealias Value = HTTP1Channel.Value

    let plain: HTTP1Channel
    let context: ServerContext
    let handshakeTimeout: TimeAmount

    var responder: HTTPChannelHandler.Responder { plain.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                TLSServerHandler(context, handshakeTimeout: handshakeTimeout, logger: logger)
            )
        }
        .flatMap { plain.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await plain.handle(value: value, logger: logger) }
}
