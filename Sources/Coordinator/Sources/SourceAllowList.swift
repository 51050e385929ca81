import Curl
import WireProtocol

/// The addresses from which the coordinator fetches files; none unless whoever started it names them.
package struct SourceAllowList: Sendable {
    /// The reason why a rule cannot be.
    package struct Invalid: Error, CustomStringConvertible {
        /// One sentence for the user.
        package let description: String
    }

    private var prefixes: [SourceAddress] = []
    private var blocks: [AddressBlock] = []

    /// Reads the rules.
    /// - Parameter rules: beginnings of addresses, such as `https://media.example.org/films/` or `s3://bucket/`; and blocks
    ///   of addresses of networks such as `10.1.0.0/16`, which servers of the allowed names may have although they are not
    ///   of the public Internet.
    /// - Throws: ``Invalid`` for a rule that is neither.
    package init(_ rules: [String]) throws(Invalid) {
        for rule in rules {
            if let block = AddressBlock(rule) {
                blocks.append(block)
                continue
            }
            do throws(Problem) {
                // A bucket alone is written without a key.
                let isBucket =
                    rule.hasPrefix("s3://") && rule.dropFirst(5).allSatisfy { $0 != "/" } || rule.hasSuffix("/")
                let address = try SourceAddress(isBucket ? rule + (rule.hasSuffix("/") ? "-" : "/-") : rule)
                guard address.query == nil else {
                    throw Problem.unprocessable("source_address", "“\(rule)” has a “?”; a rule ends before it.")
                }
                prefixes.append(isBucket ? address.droppingLast() : address)
            } catch {
                throw Invalid(description: error.detail)
            }
        }
    }

    /// Whether nothing is fetched at all.
    package var isEmpty: Bool { prefixes.isEmpty }

    /// Whether a file may be fetched. A rule holds for what lies below it: `…/films` for `…/films/a.mp4`, not for
    /// `…/films-of-others/a.mp4`.
    func allows(_ address: SourceAddress) -> Bool {
        prefixes.contains { rule in
            guard rule.scheme == address.scheme, rule.host == address.host, address.path.hasPrefix(rule.path) else {
                return false
            }
            return rule.path.hasSuffix("/") || address.path.dropFirst(rule.path.count).first ?? "/" == "/"
        }
    }

    /// Whether a server of an allowed name may be connected to at this address: one of the public Internet, of a block of
    /// the rules, or one that a rule names itself in place of a host.
    func allows(_ address: NetworkAddress) -> Bool {
        address.isPublic || blocks.contains { $0.contains(address) }
            || prefixes.contains { $0.scheme != .s3 && NetworkAddress($0.name) == address }
    }
}

extension SourceAddress {
    /// The address without its last character.
    fileprivate func droppingLast() -> SourceAddress {
        SourceAddress(scheme: scheme, host: host, path: String(path.dropLast()))
    }

    private init(scheme: Scheme, host: String, path: String) {
        (self.scheme, self.host, self.path, query) = (scheme, host, path, nil)
    }
}
