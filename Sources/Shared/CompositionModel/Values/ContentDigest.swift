import Digests
package import Foundation

/// A SHA-256 digest, written `sha256:` and 64 lower-case hex digits. It names an asset or an artifact.
package struct ContentDigest: Sendable, Hashable {
    /// The digest as 64 lower-case hex digits.
    package let hex: String

    /// The digest that `hex` writes.
    /// - Returns: nil unless `hex` is 64 hex digits in lower case.
    package init?(hex: String) {
        guard hex.utf8.count == 64,
            hex.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.hex = hex
    }

    /// The digest that `text` writes, as ``description`` does.
    /// - Returns: nil unless `text` is `sha256:` and 64 hex digits in lower case.
    package init?(text: String) {
        guard text.hasPrefix("sha256:") else { return nil }
        self.init(hex: String(text.dropFirst(7)))
    }

    /// Computes the SHA-256 of `data`.
    package init(of data: some DataProtocol) {
        self.init(bytes: SHA256.hash(data))
    }

    fileprivate init(bytes digest: [UInt8]) {
        hex = String(unsafeUninitializedCapacity: 2 * digest.count) { text in
            for (place, byte) in digest.enumerated() {
                text[2 * place] = ContentDigest.digit(byte >> 4)
                text[2 * place + 1] = ContentDigest.digit(byte & 15)
            }
            return 2 * digest.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The path of the content below an artifact store's root: `sha256/ab/cd/<hex>`, where ab and cd are the first four
    /// digits.
    package var storePath: String { "sha256/\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))/\(hex)" }
}

extension ContentDigest: CustomStringConvertible, Codable {
    package var description: String { "sha256:" + hex }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes the digest from its text.
    /// - Throws: `DecodingError` when the text is no digest.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let digest = ContentDigest(text: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no sha256 digest")
        }
        self = digest
    }
}

/// Computes a SHA-256 of data that comes piece by piece.
package struct ContentHasher: Sendable {
    private var state = SHA256()
    /// The number of bytes added so far.
    package private(set) var byteCount: Int64 = 0

    package init() {}

    package mutating func update(_ data: some DataProtocol) {
        state.update(data)
        byteCount += Int64(data.count)
    }

    package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        state.update(bufferPointer)
        byteCount += Int64(bufferPointer.count)
    }

    /// The digest of all bytes added so far.
    package func finalize() -> ContentDigest { ContentDigest(bytes: state.digest()) }
}
