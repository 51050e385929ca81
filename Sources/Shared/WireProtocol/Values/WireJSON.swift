import CompositionModel
package import Foundation

/// The JSON of everything under /v1: instants are RFC 3339 in UTC with milliseconds, and keys are sorted.
package enum WireJSON {
    /// Encodes a value.
    /// - Throws: `EncodingError` for a number that JSON does not have.
    package static func encode(_ value: some Encodable) throws -> Data {
        try CanonicalJSON.foundation(value) { $0.formatted(WireJSON.instant) }
    }

    /// Decodes a value.
    /// - Throws: `DecodingError` for text that is no JSON or does not fit `type`, and for a malformed instant.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = try? Date(text, strategy: WireJSON.instant) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "“\(text.prefix(40))” is no instant such as 2026-01-31T23:59:59.999Z"
                )
            }
            return date
        }
        return try decoder.decode(type, from: data)
    }

    private static var instant: Date.ISO8601FormatStyle {
        .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted)
    }
}
