import CLibSSL
import NIOCore
import Testing

/// The client's side of a TLS connection in memory, by OpenSSL itself: what it says goes into a channel's inbound side,
/// and the channel's outbound side is given to it.
final class TestClient {
    private let context: OpaquePointer
    private let raw: OpaquePointer
    private let received: OpaquePointer
    private let produced: OpaquePointer

    init() throws {
        context = try #require(SSL_CTX_new(TLS_client_method()))
        raw = try #require(SSL_new(context))
        received = try #require(BIO_new(BIO_s_mem()))
        produced = try #require(BIO_new(BIO_s_mem()))
        SSL_set_bio(raw, received, produced)
        SSL_set_connect_state(raw)
    }

    deinit {
        SSL_free(raw)
        SSL_CTX_free(context)
    }

    /// Does a step of the handshake.
    /// - Returns: whether the handshake is complete.
    func shakeHands() -> Bool { SSL_do_handshake(raw) == 1 }

    func receive(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { _ = BIO_write(received, $0.baseAddress, Int32($0.count)) }
    }

    /// All that it has to say.
    func said() -> ByteBuffer {
        var said = ByteBuffer()
        let count = cut_bio_pending(produced)
        said.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            count == 0 ? 0 : Int(BIO_read(produced, bytes.baseAddress, Int32(count)))
        }
        return said
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(SSL_write(raw, bytes, Int32(bytes.count)) == Int32(bytes.count))
    }

    /// The plaintext that has come; empty when there is none, as after the server's `close_notify`.
    func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = SSL_read(raw, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    func sayGoodbye() { _ = SSL_shutdown(raw) }

    /// Asks for new keys of both sides; the server must answer.
    func updateKeys() {
        #expect(SSL_key_update(raw, SSL_KEY_UPDATE_REQUESTED) == 1)
        _ = SSL_do_handshake(raw)
    }
}
