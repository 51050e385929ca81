package import CompositionModel
package import Foundation
package import WireProtocol

extension InMemoryFarmStore {
    package func askForSource(_ order: SourceOrder, owner: String) throws(FarmStoreError) -> SourceRecord {
        try transact { (tables, now) throws(FarmStoreError) in
            try tables.askForSource(order, owner: owner, at: now)
        }
    }

    package func source(_ id: ContentDigest) throws(FarmStoreError) -> SourceRecord? { read { $0.source(id) } }

    package func claimSource(by claim: UUID) throws(FarmStoreError) -> SourceRecord? {
        try transact { tables, now in tables.claimSource(by: claim, at: now) }
    }

    package func reportSource(
        _ id: ContentDigest,
        by claim: UUID,
        _ report: SourceReport
    ) throws(FarmStoreError) -> Bool {
        try transact { tables, now in tables.reportSource(id, by: claim, report, at: now) }
    }

    @discardableResult
    package func forgetSources(untouchedFor age: Int64) throws(FarmStoreError) -> Int {
        try transact { tables, now in tables.forgetSources(untouchedFor: age, at: now) }
    }
}
