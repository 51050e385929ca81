import Farm
import Foundation
import PostgreSQL
import CompositionModel
import WireProtocol

extension Row {
    func identifier<Identifier: TypedIdentifier>(_ column: String) throws(DatabaseError) -> Identifier {
        Identifier(uuid: try get(column))
    }

    func time(_ column: String) throws(DatabaseError) -> FarmTime { FarmTime(milliseconds: try get(column)) }

    func optionalTime(_ column: String) throws(DatabaseError) -> FarmTime? {
        try optional(column).map { FarmTime(milliseconds: $0) }
    }

    /// A word that is one of an enum's.
    func word<Word: RawRepresentable<String>>(_ column: String) throws(DatabaseError) -> Word {
        let text: String = try get(column)
        guard let word = Word(rawValue: text) else { throw unknown(text, column) }
        return word
    }

    func optionalWord<Word: RawRepresentable<String>>(_ column: String) throws(DatabaseError) -> Word? {
        try optional(column, as: String.self) == nil ? nil : word(column)
    }

    func digest(_ column: String) throws(DatabaseError) -> ContentDigest? {
        guard let text: String = try optional(column) else { return nil }
        guard let digest = ContentDigest(text: text) else { throw unknown(text, column) }
        return digest
    }

    private func unknown(_ text: String, _ column: String) -> DatabaseError {
        DatabaseError(code: DatabaseError.wrongColumn, message: "Column “\(column)” holds “\(text)”.")
    }
}
