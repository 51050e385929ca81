package import Farm
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func acquireLeases(_ polls: [LeasePoll]) async throws(FarmStoreError) -> [PollOutcome] {
        guard !polls.isEmpty else { return [] }
        let opening = GrantRound.opening(polls, policy)
        return try await transact(opening: opening) { [policy, identifiers] connection, now, results in
            var round = try GrantRound(polls, policy: policy, identifiers: identifiers, reading: results, at: now)
            let outcomes = try polls.map { try round.answer($0, connection) }
            try round.finish(connection)
            return outcomes
        }
    }
}
