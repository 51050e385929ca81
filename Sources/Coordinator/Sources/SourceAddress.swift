import Foundation
import WireProtocol

/// The address of a file elsewhere, taken apart in one way only: what is checked is what is asked for.
struct SourceAddress: Sendable, Hashable {
    /// The ways to ask for a file.
    enum Scheme: String, Sendable, Hashable {
        case http, https, s3
    }

    let scheme: Scheme
    /// The host in lower case with its port where one is written, or the bucket.
    let host: String
    /// The path with its slash at the beginning, as it is written.
    let path: String
    /// What stands behind the `?`, as it is written; nil without one.
    let query: String?

    /// The longest address, in bytes.
    private static let limit = 4096

    /// Takes an address apart.
    /// - Throws: ``Problem`` 422 `source_address` that says what is wrong with it.
    init(_ text: String) throws(Problem) {
        func wrong(_ what: String) -> Problem { .unprocessable("source_address", "“\(text.prefix(200))” \(what).") }
        guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\\") })
        else { throw wrong("has characters that belong percent-encoded in an address, or more than 4096 bytes") }
        guard let mark = text.range(of: "://"), let scheme = Scheme(rawValue: text[..<mark.lowerBound].lowercased())
        else { throw wrong("is no address that is fetched; write https://…, http://… or s3://BUCKET/KEY") }
        guard !text.contains("#") else {
            throw wrong("has a “#”, which servers never see; write it as %23 or leave it out")
        }
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let tail = rest.dropFirst(authority.count)
        let path = tail.prefix { scheme == .s3 || $0 != "?" }
        guard !authority.contains("@") else { throw wrong("has a name or password before the host; leave them out") }
        guard Self.isHost(authority) else { throw wrong("has no host such as media.example.org") }
        guard scheme != .s3 || path.count > 1 else { throw wrong("names no object of the bucket") }
        guard Self.isPlain(path) else { throw wrong("has a path with “.”, “..”, or a slash that is percent-encoded") }
        self.scheme = scheme
        host = authority.lowercased()
        self.path = path.isEmpty ? "/" : String(path)
        query = path.count == tail.count ? nil : String(tail.dropFirst(path.count + 1))
    }

    /// The whole address.
    var text: String { "\(scheme.rawValue)://\(host)\(path)\(query.map { "?" + $0 } ?? "")" }

    /// The host without its port, and without the brackets of an address of IPv6.
    var name: String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host.dropFirst()[..<end]) }
        return String(host.prefix { $0 != ":" })
    }

    /// The key of an object: the path without its slash, not encoded.
    var key: String { String(path.dropFirst()).removingPercentEncoding ?? String(path.dropFirst()) }

    /// Where a redirect leads.
    /// - Parameter location: an address, or a path on the same host.
    /// - Throws: as ``init(_:)``.
    func following(_ location: String) throws(Problem) -> SourceAddress {
        if location.hasPrefix("//") { return try SourceAddress("\(scheme.rawValue):\(location)") }
        if location.hasPrefix("/") { return try SourceAddress("\(scheme.rawValue)://\(host)\(location)") }
        if location.contains("://") { return try SourceAddress(location) }
        let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
        return try SourceAddress("\(scheme.rawValue)://\(host)\(folder)\(location)")
    }

    private static func isHost(_ text: Substring) -> Bool {
        text.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z]([0-9A-Za-z._\-]*[0-9A-Za-z])?)(:[0-9]{1,5})?/) != nil
    }

    /// Whether no part of a path leads up, as it is written and as a server may read it.
    private static func isPlain(_ path: Substring) -> Bool {
        path.split(separator: "/").allSatisfy { part in
            guard let plain = String(part).removingPercentEncoding else { return false }
            return plain != "." && plain != ".." && !plain.contains("/") && !plain.contains("\\")
                && !plain.utf8.contains { $0 < 32 }
        }
    }
}
