public import Foundation

/// A UUIDv7 with a typed prefix in text, such as `job_0197f3c2-…`; sorts by time of creation.
public protocol TypedIdentifier: Sendable, Hashable, Comparable, Codable, CustomStringConvertible,
    CodingKeyRepresentable
{
    static var prefix: String { get }
    var uuid: UUID { get }
    init(uuid: UUID)
}

extension TypedIdentifier {
    public var description: String { Self.prefix + "_" + uuid.uuidString.lowercased() }

    /// - Returns: nil unless `text` is this type's prefix, `_` and a UUID.
    public init?(text: String) {
        guard text.hasPrefix(Self.prefix + "_"),
            let uuid = UUID(uuidString: String(text.dropFirst(Self.prefix.utf8.count + 1)))
        else { return nil }
        self.init(uuid: uuid)
    }

    /// A new identifier: 48 bits of `milliseconds` since 1970 (RFC 9562 §5.7), the rest from `generator`.
    public init(milliseconds: UInt64, using generator: inout some RandomNumberGenerator) {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - 8 * index)) }
        bytes[6] = 0x70 | (bytes[6] & 0x0f)
        bytes[8] = 0x80 | (bytes[8] & 0x3f)
        self.init(
            uuid: UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                    bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
                )
            )
        )
    }

    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = Self(text: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "“\(text)” is no \(Self.prefix) identifier"
            )
        }
        self = identifier
    }

    public var codingKey: any CodingKey { IdentifierKey(stringValue: description) }

    public init?(codingKey: some CodingKey) { self.init(text: codingKey.stringValue) }
}

private struct IdentifierKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

public struct JobID: TypedIdentifier {
    public static let prefix = "job"
    public let uuid: UUID
    public init(uuid: UUID) { self.uuid = uuid }
}

public struct TaskID: TypedIdentifier {
    public static let prefix = "task"
    public let uuid: UUID
    public init(uuid: UUID) { self.uuid = uuid }
}

/// One try at one task by one worker: the fencing token that every write of that try carries.
public struct AttemptID: TypedIdentifier {
    public static let prefix = "att"
    public let uuid: UUID
    public init(uuid: UUID) { self.uuid = uuid }
}

public struct WorkerID: TypedIdentifier {
    public static let prefix = "wrk"
    public let uuid: UUID
    public init(uuid: UUID) { self.uuid = uuid }
}

/// Chosen by the poller; the same poll repeated gets the same grant.
public struct PollID: TypedIdentifier {
    public static let prefix = "poll"
    public let uuid: UUID
    public init(uuid: UUID) { self.uuid = uuid }
}
