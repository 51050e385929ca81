import Farm
import Foundation
import WireProtocol

/// A document of a job, read from the store in slices: whoever reads it holds one slice in memory, however large the
/// document is, and no connection of the database between two of them.
struct StoredDocument: Sendable {
    /// The most bytes of one slice.
    static let sliceByteCount = 256 << 10

    /// The number of bytes of the whole document.
    let byteCount: Int
    private let store: any FarmStore
    private let document: JobDocument
    private let job: JobID
    /// The first slice, which was read to learn the length, until it is taken.
    private var first: Data?
    private var offset = 0

    /// Reads the first slice.
    /// - Throws: ``FarmStoreError``, of which ``FarmStoreError/unknownJob`` for a job that does not exist.
    init(_ document: JobDocument, of job: JobID, in store: any FarmStore) async throws(FarmStoreError) {
        let range = 0..<Self.sliceByteCount
        guard let slice = try await store.slice(of: document, of: job, range) else { throw .unknownJob }
        (self.store, self.document, self.job) = (store, document, job)
        (byteCount, first) = (slice.byteCount, slice.bytes)
    }

    /// Reads the next slice.
    /// - Returns: its bytes, at least one; nil at the end.
    /// - Throws: ``FarmStoreError``.
    mutating func next() async throws(FarmStoreError) -> Data? {
        guard offset < byteCount else { return nil }
        let slice = try await take()
        guard !slice.isEmpty else { throw .unavailable("A document ends before its length.") }
        offset += slice.count
        return slice
    }

    private mutating func take() async throws(FarmStoreError) -> Data {
        if let slice = first {
            first = nil
            return slice
        }
        let slice = try await store.slice(of: document, of: job, offset..<offset + Self.sliceByteCount)
        return slice?.bytes ?? Data()
    }
}
