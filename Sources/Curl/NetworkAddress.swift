import Foundation

/// An address of the Internet Protocol, without a port.
package struct NetworkAddress: Sendable, Hashable {
    /// 4 bytes of IPv4 or 16 of IPv6, the first byte of the address first.
    package let bytes: [UInt8]

    /// The address that `text` writes, such as `192.0.2.1` or `2001:db8::1`; nil for any other text. The zone of an address
    /// of a link, behind `%`, is passed over.
    package init?(_ text: some StringProtocol) {
        let text = String(text.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    private init(bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// The address of a socket (ip(7), ipv6(7)); nil for one of another family.
    init?(_ socket: UnsafeRawPointer, byteCount: Int) {
        switch Int32(socket.load(as: sa_family_t.self)) {
        case AF_INET where byteCount >= MemoryLayout<sockaddr_in>.size:
            bytes = Array(UnsafeRawBufferPointer(start: socket + 4, count: 4))
        case AF_INET6 where byteCount >= MemoryLayout<sockaddr_in6>.size:
            bytes = Array(UnsafeRawBufferPointer(start: socket + 8, count: 16))
        default: return nil
        }
    }

    /// Whether the address is one of the public Internet: none of a private network, of this host, of a link, of a group or
    /// of documentation (the registries of RFC 6890). An address of IPv6 that holds one of IPv4 is public when that one is.
    package var isPublic: Bool {
        if bytes.count == 4 { return !NetworkAddress.reserved4.contains { $0.contains(self) } }
        if let held { return held.isPublic }
        // Only 2000::/3 is given out (RFC 4291 §2.4).
        return bytes[0] & 0xe0 == 0x20 && !NetworkAddress.reserved6.contains { $0.contains(self) }
    }

    /// The address of IPv4 to which this one of IPv6 leads: mapped (::ffff:0:0/96), translated (64:ff9b::/96) or 6to4
    /// (2002::/16).
    private var held: NetworkAddress? {
        if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] {
            return NetworkAddress(bytes: bytes.suffix(4))
        }
        if bytes.prefix(12) == [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0] {
            return NetworkAddress(bytes: bytes.suffix(4))
        }
        return bytes.prefix(2) == [0x20, 0x02] ? NetworkAddress(bytes: bytes[2..<6]) : nil
    }

    /// The address of IPv4 that this one of IPv6 maps (RFC 4291 §2.5.5.2); any other one as it is.
    package var unmapped: NetworkAddress {
        bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] ? NetworkAddress(bytes: bytes.suffix(4)) : self
    }

    private static let reserved4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3",
    ].compactMap { AddressBlock($0) }

    /// Within 2000::/3: protocols such as Teredo, and documentation.
    private static let reserved6 = ["2001::/23", "2001:db8::/32", "3fff::/20"].compactMap { AddressBlock($0) }
}

extension NetworkAddress: CustomStringConvertible {
    /// The address as text, which ``init(_:)`` reads.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
