package import NIOCore

extension TLSServerHandler {
    /// Plaintext that is encrypted and sent at a time: three full records, so that the ciphertext has room in 64 KiB,
    /// which are used again, and stays in the processor's cache.
    private static let portion = 3 * 16 * 1024

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard phase != .over, !outputEnded else {
            promise?.fail(outputEnded ? ChannelError.outputClosed : ChannelError.ioOnClosedChannel)
            return
        }
        pending.append(PendingWrite(plaintext: unwrapOutboundIn(data), promise: promise))
    }

    package func flush(context: ChannelHandlerContext) {
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
                try send(write, context)
            } catch {
                write.promise?.fail(error)
                fail(error, context)
            }
        }
        isSending = false
        if phase == .open { sendOutput(nil, context) }
    }

    private func send(_ write: PendingWrite, _ context: ChannelHandlerContext) throws(TLSError) {
        var rest = write.plaintext
        while phase == .open, rest.readableBytes > 0,
            let portion = rest.readSlice(length: min(rest.readableBytes, Self.portion - unsentBytes))
        {
            try session.write(portion)
            unsentBytes += portion.readableBytes
            if unsentBytes == Self.portion { sendOutput(nil, context) }
        }
        if let promise = write.promise { sendOutput(promise, context) }
    }

    /// `.output` says `close_notify` after what was written, and then closes; `.all` says it too, but waits for nothing:
    /// what the client has not taken by then is lost, as without TLS.
    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        case .input where phase == .handshaking: close(context: context, mode: .all, promise: promise)
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
    }
}
