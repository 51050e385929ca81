import CLibSSL
import NIOCore

/// The server's side of one TLS connection, without the network: ciphertext is put in and taken out. The owner of an
/// `SSL` and of the two memory buffers between which it works.
///
/// Used by one thread at a time. Nothing is to be done with it after it threw but take its output, which may
/// hold an alert for the client, and let it go.
struct Session: ~Copyable {
    enum Progress {
        /// All that was received has been dealt with.
        case wantsMore
        /// The buffer is full; there may be more.
        case bufferFull
        /// The client sent `close_notify`: it will send nothing more, but may go on reading.
        case clientFinished
    }

    private let raw: OpaquePointer
    /// Owned by `raw`: ciphertext from the client, and to it.
    private let received: OpaquePointer
    private let produced: OpaquePointer

    /// - Throws: ``TLSError`` when memory runs out.
    init(_ context: ServerContext) throws(TLSError) {
        LibraryErrors.clear()
        guard let raw = SSL_new(context.raw) else { throw .handshakeFailed(LibraryErrors.takeReason()) }
        guard let received = BIO_new(BIO_s_mem()) else {
            SSL_free(raw)
            throw .handshakeFailed(LibraryErrors.takeReason())
        }
        guard let produced = BIO_new(BIO_s_mem()) else {
            BIO_free(received)
            SSL_free(raw)
            throw .handshakeFailed(LibraryErrors.takeReason())
        }
        SSL_set_bio(raw, received, produced)
        SSL_set_accept_state(raw)
        (self.raw, self.received, self.produced) = (raw, received, produced)
    }

    deinit { SSL_free(raw) }

    /// Takes ciphertext from the client, at most 2 GiB at a time; ``shakeHands()`` and ``read(into:)`` work on it.
    /// - Throws: ``TLSError`` when memory runs out.
    func receive(_ ciphertext: ByteBuffer) throws(TLSError) {
        LibraryErrors.clear()
        let taken = ciphertext.withUnsafeReadableBytes { bytes in
            bytes.isEmpty ? 0 : Int(BIO_write(received, bytes.baseAddress, Int32(clamping: bytes.count)))
        }
        if taken != ciphertext.readableBytes { throw .violated(LibraryErrors.takeReason()) }
    }

    /// - Returns: whether the handshake is complete; else more must be received.
    /// - Throws: ``TLSError`` when it failed.
    func shakeHands() throws(TLSError) -> Bool {
        LibraryErrors.clear()
        let result = SSL_do_handshake(raw)
        if result == 1 { return true }
        if SSL_get_error(raw, result) == SSL_ERROR_WANT_READ { return false }
        throw .handshakeFailed(LibraryErrors.takeReason())
    }

    /// Fills the writable bytes of `plaintext` with what has been received whole, after the handshake.
    /// - Throws: ``TLSError`` after a damaged record, one out of place, or a fatal alert; what came before it has been
    ///   appended.
    func read(into plaintext: inout ByteBuffer) throws(TLSError) -> Progress {
        while plaintext.writableBytes > 0 {
            LibraryErrors.clear()
            let appended = plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: 1) { bytes in
                var count = 0
                return SSL_read_ex(raw, bytes.baseAddress, bytes.count, &count) == 1 ? count : 0
            }
            if appended > 0 { continue }
            switch SSL_get_error(raw, 0) {
            case SSL_ERROR_WANT_READ: return .wantsMore
            case SSL_ERROR_ZERO_RETURN: return .clientFinished
            default: throw .violated(LibraryErrors.takeReason())
            }
        }
        return .bufferFull
    }

    /// Encrypts `plaintext`, which is not empty, after the handshake and before ``finish()``.
    /// - Throws: ``TLSError``.
    func write(_ plaintext: ByteBuffer) throws(TLSError) {
        LibraryErrors.clear()
        // The memory behind `produced` takes everything: there is no partial write.
        let isWritten = plaintext.withUnsafeReadableBytes { bytes in
            var count = 0
            return SSL_write_ex(raw, bytes.baseAddress, bytes.count, &count) == 1 && count == bytes.count
        }
        if !isWritten { throw .violated(LibraryErrors.takeReason()) }
    }

    /// Says `close_notify`, once and after the handshake: nothing is written afterwards, but more may be read.
    func finish() {
        LibraryErrors.clear()
        _ = SSL_shutdown(raw)
    }

    /// Moves the ciphertext for the client to `buffer`, which is emptied before.
    func takeOutput(_ buffer: inout ByteBuffer) {
        let count = cut_bio_pending(produced)
        buffer.clear(minimumCapacity: count)
        guard count > 0 else { return }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            Int(BIO_read(produced, bytes.baseAddress, Int32(clamping: count)))
        }
    }
}
