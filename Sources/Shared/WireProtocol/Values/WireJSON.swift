public import Foundation

/// JSON as everything under /v1 speaks it: instants as RFC 3339 in UTC with milliseconds, keys sorted.
public enum WireJSON {
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(WireJSON.instant))
        }
        return try encoder.encode(value)
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date(text, strategy: WireJSON.instant)
        }
        return try decoder.decode(type, from: data)
    }

    private static var instant: Date.ISO8601FormatStyle {
        .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted)
    }
}
