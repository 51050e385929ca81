import Farm
import Foundation
import PostgreSQL
import WireProtocol

extension PostgresFarmStore: WebhookStore {
    /// The webhooks that one owner may have: each event of the owner's jobs writes a message for each of them.
    static let mostWebhooks: Int64 = 50

    func addWebhook(
        _ order: WebhookOrder,
        owner: String,
        secret: Data
    ) async throws(FarmStoreError) -> WebhookView? {
        try await transact { connection, now in
            let counting = "SELECT count(*) AS count FROM webhook WHERE owner = $1 AND removed_ms IS NULL"
            let count: Int64 = try connection.query(counting, [owner]).first?.get("count") ?? 0
            guard count < Self.mostWebhooks else {
                let what = "“\(owner)” has \(count) webhooks, the most that an owner may have"
                throw FarmStoreError.overQuota("\(what); remove one first.")
            }
            var generator = SystemRandomNumberGenerator()
            let id = WebhookID(milliseconds: UInt64(clamping: now.milliseconds), using: &generator)
            let events = (order.events ?? WebhookEvent.allCases).map(\.rawValue)
            let sql = """
                INSERT INTO webhook (id, url, owner, jobs, events, secret, created_ms)
                VALUES ($1, $2, $3, $4, $5::text[], $6, $7) ON CONFLICT DO NOTHING RETURNING id
                """
            let values: [any Parameter] = [
                id.uuid, order.url, owner, order.jobs.rawValue, events, secret, now.milliseconds,
            ]
            guard try connection.query(sql, values).first != nil else { return nil }
            return try WebhookQuery.views("webhook.id = $1", [id.uuid], connection).first
        }
    }

    func webhooks(of owner: String?) async throws(FarmStoreError) -> [WebhookView] {
        try await transact { connection, _ in
            try WebhookQuery.views("owner = coalesce($1, owner)", [owner], connection)
        }
    }

    func webhook(of owner: String, at url: String) async throws(FarmStoreError) -> WebhookID? {
        try await transact { connection, _ in
            let sql = "SELECT id FROM webhook WHERE owner = $1 AND url = $2 AND removed_ms IS NULL"
            return try connection.query(sql, [owner, url]).first.map { try $0.identifier("id") }
        }
    }

    func rotateWebhook(
        _ id: WebhookID,
        to secret: Data,
        overlapMilliseconds: Int64
    ) async throws(FarmStoreError) -> WebhookView? {
        try await transact { connection, now in
            let sql = """
                UPDATE webhook SET previous_secret = secret, previous_ends_ms = $3, secret = $2
                WHERE id = $1 AND removed_ms IS NULL
                """
            try connection.query(sql, [id.uuid, secret, now.adding(milliseconds: overlapMilliseconds).milliseconds])
            return try WebhookQuery.views("webhook.id = $1", [id.uuid], connection).first
        }
    }

    func removeWebhook(_ id: WebhookID) async throws(FarmStoreError) {
        try await transact { connection, now in
            _ = try connection.batch([
                Statement("UPDATE webhook SET removed_ms = $2 WHERE id = $1", [id.uuid, now.milliseconds]),
                Statement(Self.givingUp("= $2"), [now.milliseconds, id.uuid]),
            ])
        }
    }

    /// The SQL that gives up, at the time `$1`, the messages of webhooks that were removed.
    /// - Parameter which: the condition on `webhook`, the identifier.
    private static func givingUp(_ which: String) -> String {
        """
        UPDATE webhook_delivery SET state = 'failed', ended_ms = $1, last_error = 'The webhook was removed.'
        WHERE state = 'pending' AND webhook \(which)
        """
    }

    func deliveries(_ filter: WebhookDeliveryFilter) async throws(FarmStoreError) -> [WebhookDelivery] {
        try await transact { connection, _ in try WebhookQuery.deliveries(filter, connection) }
    }

    func replay(_ order: WebhookReplay, of owner: String?) async throws(FarmStoreError) -> Int {
        try await transact { connection, now in
            let sql = """
                UPDATE webhook_delivery SET state = 'pending', ended_ms = NULL, attempt_count = 0, next_ms = $4,
                    lease = NULL, lease_until_ms = NULL
                FROM webhook WHERE webhook.id = webhook_delivery.webhook AND webhook.removed_ms IS NULL
                    AND webhook.owner = coalesce($3, webhook.owner) AND (
                        webhook_delivery.id = $1
                        OR $1 IS NULL AND webhook_delivery.webhook = $2 AND webhook_delivery.state = 'failed'
                    )
                """
            let values: [any Parameter] = [order.message?.uuid, order.webhook?.uuid, owner, now.milliseconds]
            return try connection.query(sql, values).affectedCount
        }
    }

    func claimDelivery(forMilliseconds milliseconds: Int64) async throws(FarmStoreError) -> ClaimedDelivery? {
        try await transact { connection, now in
            try WebhookQuery.claim(for: milliseconds, connection, now)
        }
    }

    @discardableResult
    func endAttempt(_ claim: ClaimedDelivery, _ outcome: WebhookOutcome) async throws(FarmStoreError) -> Bool {
        try await transact { connection, now in
            let (state, status, reason, next): (WebhookDelivery.State, Int?, String?, Int64?)
            switch outcome {
            case .delivered(let code): (state, status, reason, next) = (.delivered, code, nil, nil)
            case .failed(let code, let why, let isFinal):
                next = isFinal ? nil : WebhookBackoff.wait(afterAttempts: claim.attemptCount)
                (state, status, reason) = (next == nil ? .failed : .pending, code, why)
            }
            let sql = """
                UPDATE webhook_delivery SET state = $3, last_status = $4, last_error = $5, lease = NULL,
                    lease_until_ms = NULL, next_ms = coalesce($6::bigint + $7::bigint, next_ms),
                    ended_ms = CASE WHEN $3 = 'pending' THEN NULL ELSE $7::bigint END
                WHERE id = $1 AND lease = $2 AND state = 'pending'
                """
            let values: [any Parameter] = [
                claim.id.uuid, claim.lease, state.rawValue, status, reason, next, now.milliseconds,
            ]
            return try connection.query(sql, values).affectedCount == 1
        }
    }

    func forgetDeliveries(endedBefore milliseconds: Int64, limit: Int) async throws(FarmStoreError) -> Int {
        try await transact { connection, now in
            // An event that was stored at the moment of the removal wrote a message that the removal did not see.
            let removed = "IN (SELECT id FROM webhook WHERE removed_ms IS NOT NULL)"
            _ = try connection.query(Self.givingUp(removed), [now.milliseconds])
            let sql = """
                DELETE FROM webhook_delivery WHERE id IN (
                    SELECT id FROM webhook_delivery WHERE ended_ms < $1 ORDER BY ended_ms LIMIT $2
                )
                """
            return try connection.query(sql, [now.adding(milliseconds: -milliseconds).milliseconds, limit])
                .affectedCount
        }
    }
}
