import Glibc

/// A kept connection to a coordinator, over which one request after the other is sent, without waiting in a call.
final class HTTPExchange {
    /// An answer that is there as a whole.
    struct Answer {
        let status: Int
        let body: String
        let closes: Bool
    }

    /// A failure of the connection, as a sentence.
    struct Failed: Error {
        let sentence: String
    }

    private(set) var descriptor: Int32 = -1
    private let address: sockaddr_in
    private let head: String
    private var received: [UInt8] = []
    private var unsent: [UInt8] = []

    /// - Parameters:
    ///   - port: the port of 127.0.0.1.
    ///   - token: the secret that every request carries.
    init(port: UInt16, token: String) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        self.address = address
        head = "Host: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
    }

    /// Connects; the connection does not block from then on.
    /// - Throws: ``Failed``.
    func open() throws(Failed) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = address
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, 16) }
        }
        guard descriptor >= 0, outcome == 0 else {
            throw Failed(sentence: "connect: \(String(cString: strerror(errno)))")
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        (received, unsent) = ([], [])
    }

    func close() {
        _ = Glibc.close(descriptor)
        descriptor = -1
    }

    /// Sends a POST; a request fits into the socket's buffer, which holds nothing else.
    /// - Throws: ``Failed``.
    func post(_ path: String, _ body: String) throws(Failed) {
        let text = "POST \(path) HTTP/1.1\r\n\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let bytes = Array(text.utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failed(sentence: "send: \(String(cString: strerror(errno)))")
        }
    }

    /// Reads what has come.
    /// - Returns: the answer once it is whole; nil before.
    /// - Throws: ``Failed`` when the connection ended before.
    func receive() throws(Failed) -> Answer? {
        var space = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &space, space.count, 0)
            if count > 0 { received += space[..<count] }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else { throw Failed(sentence: "the coordinator closed the connection") }
            if count < space.count { break }
        }
        return answer()
    }

    private func answer() -> Answer? {
        let end = Array("\r\n\r\n".utf8)
        guard let headEnd = received.indices.first(where: { received[$0...].starts(with: end) }) else { return nil }
        let lines = String(decoding: received[..<headEnd], as: UTF8.self).lowercased().split(separator: "\r\n")
        func field(_ name: String) -> Substring? {
            lines.first { $0.hasPrefix(name + ": ") }.map { $0.dropFirst(name.count + 2) }
        }
        let length = field("content-length").flatMap { Int($0) } ?? 0
        let bodyStart = headEnd + end.count
        guard received.count >= bodyStart + length else { return nil }
        let body = String(decoding: received[bodyStart..<bodyStart + length], as: UTF8.self)
        received = []
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, body: body, closes: field("connection") == "close")
    }
}
