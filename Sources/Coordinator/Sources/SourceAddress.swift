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
        func wrong(_ what: String) -> Problem {
            .unprocessable("source_address", "“\(Self.shown(text).prefix(200))” \(what).")
        }
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
        let parts = path.split(separator: "/").map(String.init)
        guard parts.allSatisfy({ Self.isPlain($0, isKey: scheme == .s3) }) else {
            throw wrong("has a path with “.”, “..”, or a slash that is percent-encoded")
        }
        self.scheme = scheme
        host = authority.lowercased()
        self.path = path.isEmpty ? "/" : String(path)
        query = path.count == tail.count ? nil : String(tail.dropFirst(path.count + 1))
    }

    /// The whole address.
    var text: String { "\(scheme.rawValue)://\(host)\(path)\(query.map { "?" + $0 } ?? "")" }

    /// The address as logs and errors show it: without the query of a web server, which may hold a signature.
    var shown: String { Self.shown(text) }

    /// Any text that should be an address, as logs and errors show it.
    static func shown(_ text: String) -> String {
        text.lowercased().hasPrefix("s3://") ? text : String(text.prefix { $0 != "?" })
    }

    /// The host without its port, and without the brackets of an address of IPv6.
    var name: String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host.dropFirst()[..<end]) }
        return String(host.prefix { $0 != ":" })
    }

    /// The key of an object: the path without its slash, not encoded.
    var key: String { String(path.dropFirst()).removingPercentEncoding ?? String(path.dropFirst()) }

    /// Where a redirect leads (RFC 3986 §5.2).
    /// - Parameter location: an address, or one that is relative to this one. What stands behind a “#” is for readers.
    /// - Throws: as ``init(_:)``.
    func following(_ location: String) throws(Problem) -> SourceAddress {
        let location = location.prefix { $0 != "#" }
        if location.hasPrefix("//") { return try SourceAddress("\(scheme.rawValue):\(location)") }
        if location.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:/) != nil { return try SourceAddress(String(location)) }
        let path = location.prefix { $0 != "?" }
        let query = location.dropFirst(path.count)
        let origin = "\(scheme.rawValue)://\(host)"
        guard !path.isEmpty else {
            let kept = query.isEmpty ? self.query.map { "?" + $0 } ?? "" : String(query)
            return try SourceAddress(origin + self.path + kept)
        }
        let folder = self.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let whole = path.hasPrefix("/") ? String(path) : "\(folder)/\(path)"
        return try SourceAddress(origin + Self.withoutDots(whole) + query)
    }

    /// A path from which “.” and “..” are taken as folders (RFC 3986 §5.2.4).
    private static func withoutDots(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for part in parts {
            if part == ".." { _ = kept.popLast() } else if part != "." { kept.append(part) }
        }
        if parts.last == "." || parts.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }

    private static func isHost(_ text: Substring) -> Bool {
        text.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z]([0-9A-Za-z._\-]*[0-9A-Za-z])?)(:[0-9]{1,5})?/) != nil
    }

    /// Whether a part of a path does not lead up, as it is written and as a web server may read it: some take off what stands
    /// behind a “;”, and some decode twice.
    /// - Parameter isKey: whether it is a part of an object's key, which is decoded once and else taken as it is.
    private static func isPlain(_ part: String, isKey: Bool) -> Bool {
        guard let plain = part.removingPercentEncoding else { return false }
        let name = isKey ? plain[...] : plain.prefix { $0 != ";" }
        guard name != ".", name != "..", !plain.contains("/"), !plain.contains("\\"),
            !plain.utf8.contains(where: { $0 < 32 })
        else { return false }
        guard !isKey, plain != part, let again = plain.removingPercentEncoding, again != plain else { return true }
        return isPlain(plain, isKey: false)
    }
}
