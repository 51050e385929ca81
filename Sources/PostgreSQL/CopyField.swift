package import Foundation

/// A value of a row that ``Connection/copy(rows:into:file:line:)`` sends, in the binary form of its column's type.
package enum CopyField: Sendable {
    /// A value of a column of type `uuid`.
    case uuid(UUID)
    /// A value of a column of type `bytea`.
    case bytes(Data)

    /// The most bytes of a `bytea`: PostgreSQL allocates less than 1 GiB for a value, of which four bytes are its
    /// length (MaxAllocSize and VARHDRSZ in its sources).
    static let mostBytes = 0x3FFF_FFFF - 4

    /// The value in binary form.
    /// - Throws: ``DatabaseError`` 54000, `program_limit_exceeded`, for one that no column takes.
    func encoded(_ place: String) throws(DatabaseError) -> Data {
        switch self {
        case .uuid(let identifier): return withUnsafeBytes(of: identifier.uuid) { Data($0) }
        case .bytes(let bytes):
            guard bytes.count <= Self.mostBytes else {
                let message =
                    "A value has \(bytes.count) bytes; PostgreSQL stores at most \(Self.mostBytes) in one value."
                throw DatabaseError(code: "54000", message: message, place: place)
            }
            return bytes
        }
    }
}
