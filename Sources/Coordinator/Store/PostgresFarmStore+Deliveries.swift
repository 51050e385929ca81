import CompositionModel
package import Farm
import PostgreSQL
import WireProtocol

extension PostgresFarmStore {
    package func claimDeliveries(in roots: [String], limit: Int) async throws(FarmStoreError) -> [DueDelivery] {
        try await transact { connection, now in
            // A row that somebody else holds is one that they claim, or decide about: it is looked at again a moment later.
            let sql = """
                SELECT id FROM job
                WHERE target IS NOT NULL AND delivered_ms IS NULL AND state = 'completed' AND output_removed_ms IS NULL
                    AND coalesce(delivery_due_ms, 0) <= $1 AND split_part(target, '/', 1) = ANY($2::text[])
                ORDER BY coalesce(delivery_due_ms, 0), id LIMIT $3 FOR UPDATE SKIP LOCKED
                """
            var claims: [DueDelivery] = []
            for row in Array(try connection.query(sql, [now.milliseconds, roots, max(0, limit)])) {
                let claim = try Self.decide(about: row.identifier("id"), connection, at: now) { decision in
                    decision.claimDelivery(at: now)
                }
                if let claim { claims.append(claim) }
            }
            return claims
        }
    }

    package func renew(_ claim: DueDelivery) async throws(FarmStoreError) -> DueDelivery? {
        try await transact { connection, now in
            try Self.decide(about: claim.job, connection, at: now) { decision in
                decision.claimDelivery(renewing: claim.claimedUntil, at: now)
            }
        }
    }

    @discardableResult
    package func note(_ outcome: DeliveryOutcome, of claim: DueDelivery) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            try Self.decide(about: claim.job, connection, at: now) { decision in
                decision.note(outcome, by: claim.claimedUntil, at: now)
            }
        }
    }

    /// Decides about a job whose row is locked, and writes what follows.
    private static func decide<Answer>(
        about job: JobID,
        _ connection: isolated Connection,
        at now: FarmTime,
        _ body: (inout JobDecision) -> Answer
    ) throws -> Answer {
        var rows = LockedRows()
        guard let record = try rows.lock(job, connection) else { throw FarmStoreError.unknownJob }
        var decision = JobDecision(job: record)
        let answer = body(&decision)
        var writer = ChangeWriter(at: now)
        try writer.write(decision.changes, to: &rows, connection)
        try writer.finish(connection)
        return answer
    }
}
