import Farm
import Foundation
import PostgreSQL
import WireProtocol

/// Webhooks and their messages as the program sees them.
enum WebhookQuery {
    /// The webhooks for which a condition holds and that were not removed, the newest first.
    static func views(
        _ condition: String,
        _ parameters: [any Parameter],
        _ connection: isolated Connection
    ) throws -> [WebhookView] {
        func count(_ state: WebhookDelivery.State) -> String {
            "(SELECT count(*) FROM webhook_delivery WHERE webhook = webhook.id AND state = '\(state.rawValue)')"
        }
        let sql = """
            SELECT *, array_to_string(events, ',') AS event_names, \(count(.pending)) AS pending,
                \(count(.failed)) AS given_up
            FROM webhook WHERE removed_ms IS NULL AND \(condition) ORDER BY id DESC
            """
        return try connection.query(sql, parameters).map { row in
            let events = try row.get("event_names", as: String.self).split(separator: ",")
            return WebhookView(
                id: try row.identifier("id"),
                url: try row.get("url"),
                owner: try row.get("owner"),
                jobs: try row.word("jobs"),
                events: events.compactMap { WebhookEvent(rawValue: String($0)) },
                created: try row.time("created_ms").date,
                pendingCount: try row.get("pending"),
                failedCount: try row.get("given_up")
            )
        }
    }

    /// Messages, the newest first.
    static func deliveries(
        _ filter: WebhookDeliveryFilter,
        _ connection: isolated Connection
    ) throws -> [WebhookDelivery] {
        let sql = """
            SELECT webhook_delivery.*, webhook.url FROM webhook_delivery
            JOIN webhook ON webhook.id = webhook_delivery.webhook
            WHERE owner = coalesce($1, owner) AND webhook = coalesce($2, webhook) AND state = coalesce($3, state)
            ORDER BY number DESC LIMIT $4
            """
        let values: [any Parameter] = [filter.owner, filter.webhook?.uuid, filter.state?.rawValue, filter.limit]
        return try connection.query(sql, values).map { row in
            let state: WebhookDelivery.State = try row.word("state")
            return WebhookDelivery(
                id: try row.identifier("id"),
                webhook: try row.identifier("webhook"),
                url: try row.get("url"),
                job: try row.identifier("job"),
                type: try row.word("type"),
                state: state,
                attemptCount: try row.get("attempt_count"),
                created: try row.time("created_ms").date,
                next: state == .pending ? try row.time("next_ms").date : nil,
                ended: try row.optionalTime("ended_ms")?.date,
                lastStatus: try row.optional("last_status"),
                lastError: try row.optional("last_error")
            )
        }
    }

    /// Leases the message that is due longest, of the owners to whose webhooks the fewest messages are sent now:
    /// receivers of one owner that hang hold nobody else's messages up for longer than one attempt. Of a webhook to
    /// which somebody sends nothing is taken, so that one that hangs keeps one lane busy. A webhook that was removed
    /// may still have a message: that of an event that was stored at the same moment.
    static func claim(
        for milliseconds: Int64,
        _ connection: isolated Connection,
        _ now: FarmTime
    ) throws -> ClaimedDelivery? {
        let lease = UUID()
        let sql = """
            WITH sent AS MATERIALIZED (
                SELECT webhook.id, webhook.owner FROM webhook_delivery JOIN webhook ON webhook.id = webhook_delivery.webhook
                WHERE lease IS NOT NULL AND state = 'pending' AND lease_until_ms > $2
            )
            UPDATE webhook_delivery SET lease = $1, lease_until_ms = $2::bigint + $3::bigint,
                attempt_count = attempt_count + 1
            FROM webhook WHERE webhook.id = webhook_delivery.webhook AND webhook_delivery.id = (
                SELECT due.id FROM webhook AS hook CROSS JOIN LATERAL (
                    SELECT id, next_ms, number FROM webhook_delivery AS one
                    WHERE one.webhook = hook.id AND state = 'pending' AND next_ms <= $2
                        AND coalesce(lease_until_ms, 0) <= $2
                    ORDER BY next_ms, number LIMIT 1
                ) AS due
                WHERE hook.removed_ms IS NULL AND hook.id NOT IN (SELECT sent.id FROM sent)
                ORDER BY (SELECT count(*) FROM sent WHERE sent.owner = hook.owner), due.next_ms, due.number LIMIT 1
            ) AND webhook_delivery.state = 'pending' AND coalesce(lease_until_ms, 0) <= $2
            RETURNING webhook_delivery.id, webhook, url, body, attempt_count, secret,
                CASE WHEN previous_ends_ms > $2 THEN previous_secret END AS previous
            """
        guard let row = try connection.query(sql, [lease, now.milliseconds, milliseconds]).first else { return nil }
        let secrets: [Data?] = [try row.get("secret"), try row.optional("previous")]
        return ClaimedDelivery(
            id: try row.identifier("id"),
            webhook: try row.identifier("webhook"),
            lease: lease,
            url: try row.get("url"),
            body: try row.get("body"),
            secrets: secrets.compactMap(\.self),
            now: now,
            attemptCount: try row.get("attempt_count")
        )
    }
}
