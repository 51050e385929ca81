package import CompositionModel
package import Foundation
package import WireProtocol

extension FarmTables {
    /// Asks for a source (``SourceStore/askForSource(_:owner:)``).
    package mutating func askForSource(
        _ order: SourceOrder,
        owner: String,
        at now: FarmTime
    ) throws(FarmStoreError) -> SourceRecord {
        let id = SourceRecord.identifier(of: order, owner: owner)
        var source = sources[id]
        source?.ask(at: now)
        if source == nil {
            let count = sources.values.count { $0.owner == owner && $0.isUnfinished }
            guard count < SourceRecord.mostUnfinished else { throw .tooManySources(owner) }
            source = SourceRecord(order, owner: owner, at: now)
        }
        let asked = source ?? SourceRecord(order, owner: owner, at: now)
        sources[id] = asked
        return asked
    }

    /// A source; nil for an unknown one.
    package func source(_ id: ContentDigest) -> SourceRecord? { sources[id] }

    /// Claims a source (``SourceStore/claimSource(by:)``).
    package mutating func claimSource(by claim: UUID, at now: FarmTime) -> SourceRecord? {
        let due = sources.values.filter { $0.isDue(at: now) }
        let first = due.min { ($0.due ?? now, $0.id.hex) < ($1.due ?? now, $1.id.hex) }
        guard var source = first else { return nil }
        source.take(by: claim, at: now)
        sources[source.id] = source
        return source
    }

    /// Follows a report (``SourceStore/reportSource(_:by:_:)``).
    package mutating func reportSource(
        _ id: ContentDigest,
        by claim: UUID,
        _ report: SourceReport,
        at now: FarmTime
    ) -> Bool {
        sources[id]?.follow(report, by: claim, at: now) ?? false
    }

    /// Forgets sources (``SourceStore/forgetSources(untouchedFor:)``).
    package mutating func forgetSources(untouchedFor age: Int64, at now: FarmTime) -> Int {
        let old = sources.values.filter { !$0.isUnfinished && now.milliseconds(since: $0.touched) > age }
        for source in old { sources[source.id] = nil }
        return old.count
    }
}

extension FarmStoreError {
    /// The refusal of another source.
    package static func tooManySources(_ owner: String) -> FarmStoreError {
        let limit = SourceRecord.mostUnfinished
        return .overQuota("\(owner) has \(limit) sources that are not fetched yet; ask again when some are.")
    }
}
