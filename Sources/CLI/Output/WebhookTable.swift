import Foundation
import WireProtocol

/// Webhooks and their messages as tables for people.
enum WebhookTable {
    /// The webhooks, or a sentence when there are none.
    static func text(_ webhooks: [WebhookView]) -> String {
        guard !webhooks.isEmpty else { return "No webhooks; `cutfarm webhooks add URL` makes one." }
        let rows = webhooks.map { webhook in
            [
                webhook.id.description, webhook.owner.visible, webhook.jobs.rawValue,
                webhook.events.count == WebhookEvent.allCases.count
                    ? "all" : webhook.events.map(\.rawValue).joined(separator: ","),
                "\(webhook.pendingCount)", "\(webhook.failedCount)", webhook.url.visible,
            ]
        }
        return TextTable(["webhook", "owner", "jobs", "events", "pending", "given up", "address"], rows).text
    }

    /// The messages.
    static func text(_ deliveries: [WebhookDelivery]) -> String {
        let rows = deliveries.map { delivery in
            [
                delivery.id.description, delivery.created.formatted(.iso8601), delivery.type.rawValue,
                delivery.job.description, delivery.state.rawValue, "\(delivery.attemptCount)", outlook(delivery),
            ]
        }
        return TextTable(["message", "made", "event", "job", "state", "attempts", "last"], rows).text
    }

    private static func outlook(_ delivery: WebhookDelivery) -> String {
        let last = delivery.lastError?.visible ?? delivery.lastStatus.map { "status \($0)" } ?? ""
        guard let next = delivery.next, delivery.attemptCount > 0 else { return last }
        return "\(last) Again at \(next.formatted(.iso8601))."
    }
}
