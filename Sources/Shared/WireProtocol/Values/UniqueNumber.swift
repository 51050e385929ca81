package import Foundation

/// The number of an identifier: a UUID of version 7 (RFC 9562 §5.7).
package struct UniqueNumber: Sendable {
    /// The 16 bytes, of which the first 6 are the milliseconds since 1970, and two hold the version and the variant.
    private var bytes: [UInt8]

    /// Makes a new number: all bits but those of the milliseconds, the version and the variant come from `generator`.
    package init(milliseconds: UInt64, using generator: inout some RandomNumberGenerator) {
        bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - 8 * index)) }
        bytes[6] = 0x70 | (bytes[6] & 0x0f)
        bytes[8] = 0x80 | (bytes[8] & 0x3f)
    }

    package var uuid: UUID {
        UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        )
    }

    /// A number of the same millisecond that sorts behind this one: by 1 to 2³² in its last 62 bits (RFC 9562 §6.2,
    /// method 2).
    /// - Returns: nil where these bits have no room, which is so for one number in a thousand million.
    package func following(using generator: inout some RandomNumberGenerator) -> UniqueNumber? {
        let value = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) } & 0x3fff_ffff_ffff_ffff
        let next = value + 1 + UInt64(UInt32.random(in: 0 ... .max, using: &generator))
        guard next <= 0x3fff_ffff_ffff_ffff else { return nil }
        var following = self
        for index in 8..<16 { following.bytes[index] = UInt8(truncatingIfNeeded: next >> UInt64(8 * (15 - index))) }
        following.bytes[8] |= 0x80
        return following
    }
}
