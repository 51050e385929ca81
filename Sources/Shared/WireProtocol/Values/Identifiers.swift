package import Foundation

/// An identifier of one kind of thing: a UUIDv7 with a typed prefix in text, such as `job_0197f3c2-…`. Identifiers sort
/// by time of creation.
package protocol TypedIdentifier: Sendable, Hashable, Comparable, Codable, CustomStringConvertible,
    CodingKeyRepresentable
{
    /// The prefix in text, without the underscore.
    static var prefix: String { get }
    /// The identifier without its prefix.
    var uuid: UUID { get }
    /// Makes the identifier of a known UUID.
    init(uuid: UUID)
}

extension TypedIdentifier {
    /// The text: the prefix, `_`, and the UUID in lower case.
    package var description: String { Self.prefix + "_" + uuid.uuidString.lowercased() }

    /// Reads the text of an identifier.
    /// - Returns: Nil unless `text` is this type's prefix, `_` and a UUID.
    package init?(text: String) {
        guard text.hasPrefix(Self.prefix + "_"),
            let uuid = UUID(uuidString: String(text.dropFirst(Self.prefix.utf8.count + 1)))
        else { return nil }
        self.init(uuid: uuid)
    }

    /// The identifiers whose text begins with `text`, which may leave the type's prefix out.
    /// - Returns: Nil when no identifier of this type begins so.
    package static func beginning(with text: String) -> ClosedRange<Self>? {
        let own = text.hasPrefix(Self.prefix + "_") ? String(text.dropFirst(Self.prefix.utf8.count + 1)) : text
        let pattern = "00000000-0000-0000-0000-000000000000"
        guard !own.isEmpty, own.utf8.count <= pattern.utf8.count else { return nil }
        let first = own.lowercased() + pattern.dropFirst(own.count)
        let last = own.lowercased() + pattern.dropFirst(own.count).replacing("0", with: "f")
        guard let lower = UUID(uuidString: first), let upper = UUID(uuidString: last) else { return nil }
        return Self(uuid: lower)...Self(uuid: upper)
    }

    /// Makes a new identifier: 48 bits are `milliseconds` since 1970 (RFC 9562 §5.7), the rest come from `generator`.
    package init(milliseconds: UInt64, using generator: inout some RandomNumberGenerator) {
        self.init(uuid: UniqueNumber(milliseconds: milliseconds, using: &generator).uuid)
    }

    package static func < (left: Self, right: Self) -> Bool { left.uuid < right.uuid }

    /// Writes the identifier as its text.
    /// - Throws: `EncodingError` if `encoder` cannot hold a string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads the identifier from its text.
    /// - Throws: `DecodingError` for text that is no identifier of this type.
    package init(from decoder: any Decoder) throws {
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

    /// The text, as a key of a JSON object.
    package var codingKey: any CodingKey { IdentifierKey(stringValue: description) }

    /// Reads a key of a JSON object; nil unless it is an identifier of this type.
    package init?(codingKey: some CodingKey) { self.init(text: codingKey.stringValue) }
}

private struct IdentifierKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The identifier of a job.
package struct JobID: TypedIdentifier {
    package static let prefix = "job"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}

/// The identifier of a task.
package struct TaskID: TypedIdentifier {
    package static let prefix = "task"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}

/// The identifier of one attempt of one worker at one task. It is the fencing token that every write of the attempt
/// carries.
package struct AttemptID: TypedIdentifier {
    package static let prefix = "att"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}

/// The identifier of a worker's registration.
package struct WorkerID: TypedIdentifier {
    package static let prefix = "wrk"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}

/// The identifier of a poll, chosen by the poller; the same poll repeated gets the same grants.
package struct PollID: TypedIdentifier {
    package static let prefix = "poll"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}

/// The identifier of a token that was made by command; it is no secret.
package struct TokenID: TypedIdentifier {
    package static let prefix = "tok"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}

/// The identifier of a webhook.
package struct WebhookID: TypedIdentifier {
    package static let prefix = "hook"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}

/// The identifier of one message to one webhook.
package struct WebhookMessageID: TypedIdentifier {
    package static let prefix = "msg"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}

/// The identifier of one worker's grant to read back and probe what was sent to the bucket. Whatever the worker says of it
/// carries it, and counts for nothing once another one was granted.
package struct ProbeID: TypedIdentifier {
    package static let prefix = "probe"
    package let uuid: UUID
    package init(uuid: UUID) { self.uuid = uuid }
}
