import Curl
import Foundation

/// The hosts to which a coordinator sends webhooks: names (`hooks.example.com`, `*.example.com`) and addresses
/// (`10.1.0.0/16`, `192.0.2.7`).
///
/// A host may be sent to when its name is named and the address that is connected to is public, or when that address is
/// named. So a name alone never leads into the network around the coordinator, whatever its DNS answers.
package struct WebhookAllowList: Sendable {
    private var names: [String] = []
    private var ranges: [AddressBlock] = []

    /// The reason why an entry is not taken.
    package struct Refused: Error, Sendable, CustomStringConvertible {
        /// One sentence that names the entry.
        package let description: String
    }

    /// Allows nothing.
    init() {}

    /// Reads entries; none allows nothing.
    /// - Throws: ``Refused`` for what is neither a name nor a range of addresses.
    package init(_ entries: [String]) throws(Refused) {
        for entry in entries {
            if let range = AddressBlock(entry) {
                ranges.append(range)
            } else if Self.isName(entry.hasPrefix("*.") ? String(entry.dropFirst(2)) : entry) {
                names.append(entry.lowercased())
            } else {
                throw Refused(
                    description: "“\(entry)” is no host: write a name (hooks.example.com, *.example.com) or addresses "
                        + "(10.1.0.0/16) without scheme, port and path."
                )
            }
        }
    }

    /// Whether no host is allowed.
    var isEmpty: Bool { names.isEmpty && ranges.isEmpty }

    /// Why a webhook cannot have an address, in a sentence; nil when it can. What its name leads to is seen when it is
    /// sent to.
    func complaint(about url: String) -> String? {
        guard !isEmpty else { return "This coordinator sends no webhooks; start it with --webhook-allow HOST." }
        guard url.utf8.count <= 2000, let parts = URLComponents(string: url), let host = Self.host(of: parts),
            ["http", "https"].contains(parts.scheme), (1...65535).contains(parts.port ?? 80)
        else { return "“\(url.prefix(100))” is no address of a webhook; write it as https://hooks.example.com/path." }
        guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
            return "The address of a webhook has no user, password or fragment; who sends is told by the signature."
        }
        if let address = NetworkAddress(host) {
            return allows(address, of: host) ? nil : Self.refusal(host)
        }
        // A name that is not named may lead to an address that is.
        return isNamed(host) || !ranges.isEmpty ? nil : Self.refusal(host)
    }

    /// Whether a connection to `address` is allowed when `host` is asked for.
    func allows(_ address: NetworkAddress, of host: String) -> Bool {
        ranges.contains { $0.contains(address.unmapped) } || isNamed(host) && address.isPublic
    }

    /// The host of an address, an IPv6 one without its brackets; nil for none.
    static func host(of parts: URLComponents) -> String? {
        guard let host = parts.host?.lowercased(), !host.isEmpty else { return nil }
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    private static func refusal(_ host: String) -> String {
        "This coordinator sends no webhooks to \(host); its --webhook-allow lists the hosts."
    }

    private func isNamed(_ host: String) -> Bool {
        names.contains { $0.hasPrefix("*.") ? host.hasSuffix($0.dropFirst()) && host.count >= $0.count : $0 == host }
    }

    private static func isName(_ text: String) -> Bool {
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(letters.contains) }
    }
}
