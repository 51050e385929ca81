import Foundation

/// An IPv4 or IPv6 address, as 16 bytes: one of IPv4 is mapped (RFC 4291 §2.5.5.2), so that both are compared alike.
struct NetworkAddress: Sendable, Hashable {
    let bytes: [UInt8]

    /// Reads an address in its usual text; a zone (`%eth0`) is left out. Nil for anything else.
    init?(_ text: some StringProtocol) {
        let plain = String(text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)[0])
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, plain, &four) == 1 {
            bytes = Self.mapped + withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, plain, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]

    /// Whether it is one of IPv4.
    var isFour: Bool { bytes.starts(with: Self.mapped) }

    /// Whether it is an address of the public Internet, by IANA's registries of special-purpose addresses: not private, of
    /// this machine, of this link, for documentation, or one that holds an address of IPv4 in it.
    var isPublic: Bool { isFour ? !Self.special.contains { $0.contains(self) } : Self.isPublicSix(self) }

    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap(NetworkRange.init)

    private static let global = NetworkRange("2000::/3")
    private static let specialSix = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].compactMap(
        NetworkRange.init
    )

    private static func isPublicSix(_ address: NetworkAddress) -> Bool {
        global?.contains(address) == true && !specialSix.contains { $0.contains(address) }
    }
}

/// The addresses that begin with the same bits, as CIDR writes them: `10.0.0.0/8`, `fd00::/8`, or one address.
struct NetworkRange: Sendable, Hashable {
    private let first: NetworkAddress
    private let bitCount: Int

    /// Reads a range; nil for anything else.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first.flatMap({ NetworkAddress($0) }) else { return nil }
        let most = first.isFour ? 32 : 128
        guard let count = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(count) else { return nil }
        self.first = first
        bitCount = count + 128 - most
    }

    /// Whether `address` is one of them.
    func contains(_ address: NetworkAddress) -> Bool {
        let whole = bitCount / 8
        guard first.bytes[..<whole] == address.bytes[..<whole] else { return false }
        guard bitCount % 8 > 0 else { return true }
        return (first.bytes[whole] ^ address.bytes[whole]) >> UInt8(8 - bitCount % 8) == 0
    }
}
