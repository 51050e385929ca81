import Foundation
import PostgreSQL

/// A value in a `jsonb` column.
enum JSONColumn {
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// - Returns: nil for nil: SQL's NULL, not JSON's.
    static func text(_ value: (some Encodable)?) throws -> String? {
        try value.map { try text($0) }
    }
}

extension Row {
    /// - Throws: ``DatabaseError``, or what the decoder says of a value that an incompatible program wrote.
    func json<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try get(column, as: String.self).utf8))
    }

    func optionalJSON<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value? {
        guard let text = try optional(column, as: String.self) else { return nil }
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
