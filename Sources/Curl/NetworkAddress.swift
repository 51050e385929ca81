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
        if bytes.count == 4 { return NetworkAddress.isPublic4(bytes) }
        if let held { return NetworkAddress.isPublic4(held) }
        // Only 2000::/3 is given out (RFC 4291 §2.4).
        return bytes[0] & 0xe0 == 0x20 && !NetworkAddress.reserved6.contains { $0.holds(bytes) }
    }

    private static func isPublic4(_ bytes: [UInt8]) -> Bool { !reserved4.contains { $0.holds(bytes) } }

    /// The address of IPv4 to which this one of IPv6 leads: mapped (::ffff:0:0/96), translated (64:ff9b::/96) or 6to4
    /// (2002::/16).
    private var held: [UInt8]? {
        if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] { return Array(bytes.suffix(4)) }
        if bytes.prefix(12) == [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0] { return Array(bytes.suffix(4)) }
        if bytes.prefix(2) == [0x20, 0x02] { return Array(bytes[2..<6]) }
        return nil
    }

    private struct Network {
        let first: [UInt8]
        let bitCount: Int

        func holds(_ bytes: [UInt8]) -> Bool {
            for bit in 0..<bitCount {
                let (place, mask) = (bit / 8, UInt8(0x80) >> (bit % 8))
                guard bytes[place] & mask == (place < first.count ? first[place] : 0) & mask else { return false }
            }
            return true
        }
    }

    private static let reserved4 = [
        Network(first: [0], bitCount: 8), Network(first: [10], bitCount: 8), Network(first: [100, 64], bitCount: 10),
        Network(first: [127], bitCount: 8), Network(first: [169, 254], bitCount: 16),
        Network(first: [172, 16], bitCount: 12), Network(first: [192, 0, 0], bitCount: 24),
        Network(first: [192, 0, 2], bitCount: 24), Network(first: [192, 88, 99], bitCount: 24),
        Network(first: [192, 168], bitCount: 16), Network(first: [198, 18], bitCount: 15),
        Network(first: [198, 51, 100], bitCount: 24), Network(first: [203, 0, 113], bitCount: 24),
        Network(first: [224], bitCount: 3),
    ]

    /// Within 2000::/3: protocols such as Teredo (2001::/23), documentation (2001:db8::/32, 3fff::/20).
    private static let reserved6 = [
        Network(first: [0x20, 0x01, 0x00], bitCount: 23), Network(first: [0x20, 0x01, 0x0d, 0xb8], bitCount: 32),
        Network(first: [0x3f, 0xff, 0x00], bitCount: 20),
    ]
}

extension NetworkAddress: CustomStringConvertible {
    /// As ``init(_:)`` reads it.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
