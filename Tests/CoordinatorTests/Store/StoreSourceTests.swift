import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Testing
import WireProtocol

@testable import Coordinator

/// What PostgreSQL and the model know of files elsewhere.
@Suite struct StoreSourceTests {
    @Test(arguments: 1...4) func agreesWithTheModel(seed: UInt64) async throws {
        let model = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .standing(at: FarmConformance.start))
        let store = try await StoreDatabase.store(connections: 1)
        let (difference, heldCount) = try await SourceConformance(seed: seed).compare(model, store)
        #expect(difference == nil && heldCount > 10)
    }

    /// Two coordinators never claim the same source.
    @Test func aSourceIsClaimedOnce() async throws {
        let target = try await StoreDatabase.make()
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        for number in 0..<20 {
            _ = try await stores[0].askForSource(SourceOrder(address: "s3://a/\(number)"), owner: "o")
        }
        var claimed = try await withThrowingTaskGroup(of: SourceRecord?.self) { group in
            for number in 0..<40 { group.addTask { try await stores[number % 2].claimSource(by: UUID()) } }
            var claimed: [ContentDigest] = []
            for try await source in group { if let source { claimed.append(source.id) } }
            return claimed
        }
        // Who comes upon a row that another has just claimed may go without one.
        while let source = try await stores[0].claimSource(by: UUID()) { claimed.append(source.id) }
        #expect(Set(claimed).count == claimed.count && claimed.count == 20)
    }
}
