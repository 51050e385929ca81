import Foundation

/// One end of the socket pair between a parent and its render child: whole JSON messages, each behind its length.
///
/// Calls block; a message is written by one call under a lock, so any thread may send.
package final class RenderChannel: Sendable {
    /// The most bytes of a message. Requests with ten thousand parts stay below it, and nothing else comes near.
    package static let largestMessage = 64 << 20

    /// The end of a channel.
    package struct Broken: Error, Sendable {
        /// errno, or 0 when the other end closed.
        package let code: Int32
    }

    private let descriptor: Int32
    private let writing = NSLock()

    /// Uses one end of a socket pair; the caller closes it.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Sends one message. It blocks while the other end does not read.
    /// - Throws: ``Broken`` when the other end is gone; `EncodingError` for a number that JSON does not have.
    package func send(_ message: some Encodable) throws {
        let body = try JSONEncoder().encode(message)
        var bytes = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Data($0) }
        bytes.append(body)
        try writing.withLock { try bytes.withUnsafeBytes(writeAll) }
    }

    /// Reads the next message. It blocks until the message is whole.
    /// - Throws: ``Broken`` when the other end is gone, with code 0 at the end of the stream; `DecodingError` for
    ///   another message.
    package func receive<Message: Decodable>(_ type: Message.Type) throws -> Message {
        let length = try read(count: 4).withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self)) }
        guard length <= RenderChannel.largestMessage else { throw Broken(code: EMSGSIZE) }
        return try JSONDecoder().decode(type, from: read(count: Int(length)))
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Without MSG_NOSIGNAL a child that is gone would end its parent by SIGPIPE.
            let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
            let written = Glibc.send(descriptor, start, rest.count, Int32(MSG_NOSIGNAL))
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                throw Broken(code: errno)
            }
        }
    }

    private func read(count: Int) throws -> Data {
        var data = Data(count: count)
        var filled = 0
        while filled < count {
            let got = data.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
            }
            if got == 0 { throw Broken(code: 0) }
            if got > 0 {
                filled += got
            } else if errno != EINTR {
                throw Broken(code: errno)
            }
        }
        return data
    }
}
