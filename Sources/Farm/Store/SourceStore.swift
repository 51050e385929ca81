package import CompositionModel
package import Foundation
package import WireProtocol

/// The farm's memory of files elsewhere that are fetched as assets. Operations are atomic and may be repeated, as those of
/// ``FarmStore``.
package protocol SourceStore: Sendable {
    /// Asks for a source (``SourceRecord/ask(at:)``); the first time, its row is made.
    /// - Throws: ``FarmStoreError/overQuota(_:)`` for a new row of an owner who has ``SourceRecord/mostUnfinished``
    ///   unfinished ones; ``FarmStoreError/unavailable(_:)``.
    func askForSource(_ order: SourceOrder, owner: String) async throws(FarmStoreError) -> SourceRecord
    /// A source; nil for an unknown one.
    func source(_ id: ContentDigest) async throws(FarmStoreError) -> SourceRecord?
    /// Claims the source that has been due for the longest time, by its identifier among equals.
    /// - Parameter claim: a new name of whoever fetches it.
    /// - Returns: nil when none is due.
    func claimSource(by claim: UUID) async throws(FarmStoreError) -> SourceRecord?
    /// Follows a report of whoever fetches a source (``SourceRecord/follow(_:by:at:)``).
    /// - Returns: whether `claim` still holds it.
    func reportSource(
        _ id: ContentDigest,
        by claim: UUID,
        _ report: SourceReport
    ) async throws(FarmStoreError) -> Bool
    /// Forgets the finished sources that nobody asked for within `age` milliseconds; their assets stay.
    /// - Returns: the number of sources forgotten.
    @discardableResult
    func forgetSources(untouchedFor age: Int64) async throws(FarmStoreError) -> Int
}
