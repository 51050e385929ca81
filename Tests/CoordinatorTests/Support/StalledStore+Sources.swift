import CompositionModel
import Farm
import Foundation
import WireProtocol

extension StalledStore {
    func askForSource(_ order: SourceOrder, owner: String) throws(FarmStoreError) -> SourceRecord {
        try model.askForSource(order, owner: owner)
    }
    func source(_ id: ContentDigest) throws(FarmStoreError) -> SourceRecord? { try model.source(id) }
    func claimSource(by claim: UUID) throws(FarmStoreError) -> SourceRecord? { try model.claimSource(by: claim) }
    func reportSource(
        _ id: ContentDigest,
        by claim: UUID,
        _ report: SourceReport
    ) throws(FarmStoreError) -> Bool { try model.reportSource(id, by: claim, report) }
    @discardableResult
    func forgetSources(untouchedFor age: Int64) throws(FarmStoreError) -> Int {
        try model.forgetSources(untouchedFor: age)
    }
}
