public import Farm
import PostgreSQL
public import WireProtocol

extension PostgresFarmStore {
    public func acquireLeases(_ polls: [LeasePoll]) async throws(FarmStoreError) -> [PollOutcome] {
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
