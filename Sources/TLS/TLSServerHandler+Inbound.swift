package import NIOCore

extension TLSServerHandler {
    /// Bytes of answers to control messages, such as key updates, that are kept for a client that does not read them.
    private static let mostUnreadAnswers = 64 * 1024

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What follows the client's `close_notify` is ignored (RFC 8446, 6.1); nothing would ever read it.
        guard phase != .over, !inputEnded else { return }
        let ciphertext = unwrapInboundIn(data)
        do throws(TLSError) {
            try session.receive(ciphertext)
            if phase == .handshaking {
                let isComplete = try session.shakeHands()
                try sendAnswers(context)
                guard isComplete else { return }
                open()
            }
            try deliver(capacity: max(ciphertext.readableBytes, 16 * 1024), context)
        } catch {
            fail(error, context)
        }
    }

    /// Hands on what has come whole, then the client's `close_notify`.
    /// - Parameter capacity: bytes that are handed on at a time.
    private func deliver(capacity: Int, _ context: ChannelHandlerContext) throws(TLSError) {
        var progress = Session.Progress.bufferFull
        while phase == .open, progress == .bufferFull {
            var plaintext = context.channel.allocator.buffer(capacity: capacity)
            let outcome = Result { () throws(TLSError) in try session.read(into: &plaintext) }
            try sendAnswers(context)
            if plaintext.readableBytes > 0, !inputEnded {
                hasDelivered = true
                context.fireChannelRead(wrapInboundOut(plaintext))
            }
            progress = try outcome.get()
        }
        sendFlushed(context)
        if progress == .clientFinished { endInput(context) }
    }

    /// Sends what OpenSSL says by itself: handshake, tickets, key updates, alerts.
    private func sendAnswers(_ context: ChannelHandlerContext) throws(TLSError) {
        let isRead = context.channel.isWritable
        let count = sendOutput(nil, context)
        unreadAnswers = isRead ? 0 : unreadAnswers + count
        if unreadAnswers > Self.mostUnreadAnswers { throw .answersUnread }
    }

    private func endInput(_ context: ChannelHandlerContext) {
        guard phase == .open, !inputEnded else { return }
        (inputEnded, isInputEndTold) = (true, true)
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        if outputEnded { context.close(mode: .all, promise: nil) }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if hasDelivered {
            hasDelivered = false
            context.fireChannelReadComplete()
        } else if phase != .over, !inputEnded {
            // Somebody asked for bytes and got none, because the record has not come whole.
            context.read()
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        switch phase {
        case .handshaking: fail(.clientLeft, context)
        case .open where inputEnded && isInputEndTold: break
        case .open where inputEnded:
            isInputEndTold = true
            context.fireUserInboundEventTriggered(event)
        case .open where !outputEnded: fail(.truncated, context)
        case .open, .over: context.fireUserInboundEventTriggered(event)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        if phase == .open, !inputEnded, !outputEnded { context.fireErrorCaught(TLSError.truncated) }
        end(ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }
}
