import Foundation

/// A TCP connection on which a test says what no decent client would. Calls block, for as long as it takes.
final class RawConnection {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// A small receive buffer, so that the other side notices early that nothing is read.
    func shrinkReceiveBuffer() {
        var size: Int32 = 4096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// - Returns: false once the other side has closed.
    @discardableResult
    func send(_ text: String) -> Bool {
        Data(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) > 0 }
    }

    /// Up to what is there, or to `until`; empty at the end of the connection.
    func receive(until end: String? = nil) -> String {
        var all = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        repeat {
            let got = recv(descriptor, &buffer, buffer.count, 0)
            guard got > 0 else { break }
            all.append(contentsOf: buffer[..<got])
        } while end.map { !String(decoding: all, as: UTF8.self).contains($0) } ?? false
        return String(decoding: all, as: UTF8.self)
    }

    /// Lets the end of the connection be a reset, as that of a client that was killed.
    func resetAtClose() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Says that nothing more will be sent.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads to the end of the connection.
    /// - Returns: the number of bytes that came.
    func drain() -> Int {
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let got = recv(descriptor, &buffer, buffer.count, 0)
            guard got > 0 else { return total }
            total += got
        }
    }
}

/// Runs `work` on a thread of its own: raw sockets block.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
