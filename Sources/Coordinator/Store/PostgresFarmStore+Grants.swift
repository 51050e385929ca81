public import Farm
import PostgreSQL
public import Shared

extension PostgresFarmStore {
    public func acquireLeases(_ polls: [LeasePoll]) async throws(FarmStoreError) -> [PollOutcome] {
        guard !polls.isEmpty else { return [] }
        return try await transact { [policy, identifiers] connection, now in
            var round = try GrantRound(polls, policy: policy, identifiers: identifiers, connection, at: now)
            let outcomes = try polls.map { try round.answer($0, connection) }
            try round.finish(connection)
            return outcomes
        }
    }
}
