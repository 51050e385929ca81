import CompositionModel
import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension Row {
    /// Reads an identifier.
    /// - Throws: ``DatabaseError`` for a missing column or NULL.
    func identifier<Identifier: TypedIdentifier>(_ column: String) throws(DatabaseError) -> Identifier {
        Identifier(uuid: try get(column))
    }

    /// Reads milliseconds since 1970.
    /// - Throws: ``DatabaseError`` for a missing column or NULL.
    func time(_ column: String) throws(DatabaseError) -> FarmTime { FarmTime(milliseconds: try get(column)) }

    /// Reads milliseconds since 1970; nil for NULL.
    /// - Throws: ``DatabaseError`` for a missing column.
    func optionalTime(_ column: String) throws(DatabaseError) -> FarmTime? {
        try optional(column).map { FarmTime(milliseconds: $0) }
    }

    /// Reads a case of an enum by its raw value.
    /// - Throws: ``DatabaseError`` for a missing column, NULL, or a value that an incompatible program wrote.
    func word<Word: RawRepresentable<String>>(_ column: String) throws(DatabaseError) -> Word {
        let text: String = try get(column)
        guard let word = Word(rawValue: text) else { throw unknown(text, column) }
        return word
    }

    /// Reads a case of an enum by its raw value; nil for NULL.
    /// - Throws: ``DatabaseError`` as ``word(_:)``.
    func optionalWord<Word: RawRepresentable<String>>(_ column: String) throws(DatabaseError) -> Word? {
        try optional(column, as: String.self) == nil ? nil : word(column)
    }

    /// Reads a digest; nil for NULL.
    /// - Throws: ``DatabaseError`` for a missing column, or a value that is no digest.
    func digest(_ column: String) throws(DatabaseError) -> ContentDigest? {
        guard let text: String = try optional(column) else { return nil }
        guard let digest = ContentDigest(text: text) else { throw unknown(text, column) }
        return digest
    }

    private func unknown(_ text: String, _ column: String) -> DatabaseError {
        DatabaseError(code: DatabaseError.wrongColumn, message: "Column “\(column)” holds “\(text)”.")
    }
}
