import CompositionModel
import Curl
import Foundation
package import WireProtocol

extension CoordinatorConnection {
    /// The parts that the farm keeps for later jobs, the most recently used first.
    /// - Parameter limit: the most parts to list, from 0 to 1000.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func parts(limit: Int) async throws(ClientError) -> PartList {
        try await get(PartList.self, "/v1/parts?limit=\(limit)")
    }

    /// Removes parts on which no unfinished job counts.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func prune(_ order: PartPruning) async throws(ClientError) -> PartRemoval {
        try await post("/v1/parts:prune", order, returning: PartRemoval.self)
    }

    /// Takes back everything that workers of a name made: unfinished jobs render it again.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func withdraw(_ order: PartWithdrawal) async throws(ClientError) -> PartRemoval {
        try await post("/v1/parts:withdraw", order, returning: PartRemoval.self)
    }
}
