import CompositionModel
import Foundation
import PostgreSQL

/// The text of values in `jsonb` columns.
enum JSONColumn {
    /// The JSON of a value.
    /// - Throws: `EncodingError` for a number that JSON does not have.
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try CanonicalJSON.foundation(value), as: UTF8.self)
    }

    /// The JSON of a value; nil for nil, which is SQL's NULL, not JSON's.
    /// - Throws: `EncodingError` for a number that JSON does not have.
    static func text(_ value: (some Encodable)?) throws -> String? {
        try value.map { try text($0) }
    }
}

extension Row {
    /// Reads a `jsonb` column.
    /// - Throws: ``DatabaseError`` for a missing column or NULL; `DecodingError` for a value that an incompatible
    ///   program wrote.
    func json<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try get(column, as: String.self).utf8))
    }

    /// Reads a `jsonb` column that may be NULL.
    /// - Returns: Nil for NULL.
    /// - Throws: ``DatabaseError`` for a missing column; `DecodingError` for a value that an incompatible program
    ///   wrote.
    func optionalJSON<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value? {
        guard let text = try optional(column, as: String.self) else { return nil }
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
