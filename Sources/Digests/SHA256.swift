package import Foundation

/// A SHA-256 (FIPS 180-4) that is fed piece by piece. A copy goes on by itself from where its original stood.
package struct SHA256: Sendable {
    /// Bytes of a digest.
    package static let byteCount = 32

    /// Copied before it is changed while another value refers to it: never changed by two threads.
    private nonisolated(unsafe) var context = DigestContext()

    package init() {}

    /// Appends the bytes of `buffer`, which may be empty, to what is hashed.
    package mutating func update(_ buffer: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(buffer)
    }

    /// Appends `data`, which may be empty, to what is hashed.
    package mutating func update(_ data: some DataProtocol) {
        for region in data.regions { region.withUnsafeBytes { update($0) } }
    }

    /// The digest of all bytes so far: ``byteCount`` bytes. More may be appended afterwards.
    package func digest() -> [UInt8] { DigestContext(copying: context).finish() }

    /// The digest of `data`: ``byteCount`` bytes.
    package static func hash(_ data: some DataProtocol) -> [UInt8] {
        var hash = SHA256()
        hash.update(data)
        return hash.digest()
    }
}
