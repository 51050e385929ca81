import Foundation

/// The reason why a coordinator cannot listen where it was told to.
package struct AddressUnusable: Error, CustomStringConvertible {
    /// The values of `errno` that this error stands for.
    static let codes = [EADDRINUSE, EADDRNOTAVAIL, EACCES]

    let host: String
    let port: Int
    /// The `errno` of bind(2).
    let code: CInt

    /// The sentence for the user.
    package var description: String {
        switch code {
        case EADDRINUSE: "Port \(port) of \(host) is taken, perhaps by another coordinator; choose another --port."
        case EACCES: "Port \(port) may not be used by this user; choose a --port above 1023."
        default: "\(host) is no address of this machine; choose another --host."
        }
    }
}

extension AddressUnusable {
    /// Checks whether a coordinator can listen on an address, so that a port in use is reported before the database is
    /// started. The address is bound and given up at once: another program may take it afterwards.
    /// - Throws: ``AddressUnusable`` when it cannot. A host name that cannot be resolved is not refused here: the
    ///   server reports it when it starts.
    package static func check(host: String, port: Int) throws(AddressUnusable) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else { return }
        defer { freeaddrinfo(found) }
        // The server, too, takes the first address of a name.
        let entry = first.pointee
        let descriptor = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // The server does the same, so that a port counts as free while old connections to it are still closing.
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, entry.ai_addr, entry.ai_addrlen) != 0, codes.contains(errno) else { return }
        throw AddressUnusable(host: host, port: port, code: errno)
    }
}
