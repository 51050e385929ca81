public import NIOCore

extension TLSServerHandler {
    /// Plaintext that is encrypted at a time: what OpenSSL's memory grows to.
    private static let portion = 64 * 1024

    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard phase != .over, !outputEnded else {
            promise?.fail(outputEnded ? ChannelError.outputClosed : ChannelError.ioOnClosedChannel)
            return
        }
        pending.append(PendingWrite(plaintext: unwrapOutboundIn(data), promise: promise))
    }

    public func flush(context: ChannelHandlerContext) {
        pending.mark()
        sendFlushed(context)
    }

    /// Encrypts and sends what was flushed, once the handshake is complete. What a handler flushes meanwhile, because it
    /// hears of writability, is sent by the call that is under way.
    func sendFlushed(_ context: ChannelHandlerContext) {
        guard phase == .open, pending.hasMark, !isSending else { return }
        isSending = true
        while phase == .open, pending.hasMark, let write = pending.popFirst() {
            do throws(TLSError) {
                try encrypt(write, context)
            } catch {
                write.promise?.fail(error)
                fail(error, context)
            }
        }
        sendOutput(nil, context)
        isSending = false
        context.flush()
    }

    private func encrypt(_ write: PendingWrite, _ context: ChannelHandlerContext) throws(TLSError) {
        var rest = write.plaintext
        while phase == .open, let portion = rest.readSlice(length: min(rest.readableBytes, Self.portion)),
            portion.readableBytes > 0
        {
            try session.write(portion)
            if session.outputCount >= Self.portion { sendOutput(nil, context) }
        }
        if let promise = write.promise { sendOutput(promise, context) }
    }

    /// Passes on the ciphertext there is, unflushed.
    /// - Parameter promise: kept when it, and all before it, is written.
    private func sendOutput(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        let output = session.output(context.channel.allocator)
        if output == nil, promise == nil { return }
        context.write(wrapOutboundOut(output ?? ByteBuffer()), promise: promise)
    }

    /// `.output` says `close_notify` after what was written, and then closes; `.all` says it too, but waits for nothing:
    /// what the client has not taken by then is lost, as without TLS.
    public func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        case .input:
            inputEnded = true
            context.close(mode: .input, promise: promise)
        case .output where phase == .open && !outputEnded:
            closeOutput(context, promise)
        case .output where phase == .open:
            context.close(mode: .output, promise: promise)
        case .output, .all:
            sayGoodbye(nil, context)
            end(ChannelError.ioOnClosedChannel)
            context.close(mode: .all, promise: promise)
        }
    }

    private func closeOutput(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        if isSending {
            return context.eventLoop.assumeIsolated().execute { [self] in
                close(context: context, mode: .output, promise: promise)
            }
        }
        flush(context: context)
        guard inputEnded else {
            sayGoodbye(nil, context)
            return context.close(mode: .output, promise: promise)
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .all, promise: promise) }
        sayGoodbye(written, context)
    }

    /// - Parameter promise: kept when `close_notify` is written, or cannot be.
    private func sayGoodbye(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        if phase == .open, !outputEnded {
            outputEnded = true
            session.finish()
        }
        sendOutput(promise, context)
        context.flush()
    }
}
