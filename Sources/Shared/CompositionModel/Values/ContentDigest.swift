import Digests
public import Foundation

/// A SHA-256, written `sha256:` and 64 lower-case hex digits. The name of an asset and of an artifact.
public struct ContentDigest: Sendable, Hashable {
    /// 64 lower-case hex digits.
    public let hex: String

    /// - Returns: nil unless `hex` is 64 hex digits in lower case.
    public init?(hex: String) {
        guard hex.utf8.count == 64,
            hex.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.hex = hex
    }

    /// - Returns: nil unless `text` is `sha256:` and 64 hex digits.
    public init?(text: String) {
        guard text.hasPrefix("sha256:") else { return nil }
        self.init(hex: String(text.dropFirst(7)))
    }

    public init(of data: some DataProtocol) {
        self.init(bytes: SHA256.hash(data))
    }

    fileprivate init(bytes digest: [UInt8]) {
        hex = digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Folder and file below an artifact store's root: `sha256/ab/cd/<hex>`.
    public var storePath: String { "sha256/\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))/\(hex)" }
}

extension ContentDigest: CustomStringConvertible, Codable {
    public var description: String { "sha256:" + hex }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let digest = ContentDigest(text: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no sha256 digest")
        }
        self = digest
    }
}

/// A SHA-256 that is fed piece by piece.
public struct ContentHasher: Sendable {
    private var state = SHA256()
    public private(set) var byteCount: Int64 = 0

    public init() {}

    public mutating func update(_ data: some DataProtocol) {
        state.update(data)
        byteCount += Int64(data.count)
    }

    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        state.update(bufferPointer)
        byteCount += Int64(bufferPointer.count)
    }

    public func finalize() -> ContentDigest { ContentDigest(bytes: state.digest()) }
}
