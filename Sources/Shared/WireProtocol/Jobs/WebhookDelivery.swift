package import Foundation

/// One message to one webhook, as clients see it: a row of `GET /v1/webhooks:deliveries`.
package struct WebhookDelivery: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable { case pending, delivered, failed }

    /// The identifier that the receiver sees as `webhook-id`, the same at every attempt and every replay.
    package var id: WebhookMessageID
    package var webhook: WebhookID
    package var url: String
    package var job: JobID
    package var type: WebhookEvent
    package var state: State
    /// The number of attempts since the message was made, or replayed.
    package var attemptCount: Int
    package var created: Date
    /// When it is tried next; nil unless it is pending.
    package var next: Date?
    /// When it was delivered or given up.
    package var ended: Date?
    /// The status of the last answer; nil when none came.
    package var lastStatus: Int?
    /// Why the last attempt failed, in a sentence.
    package var lastError: String?

    package init(
        id: WebhookMessageID,
        webhook: WebhookID,
        url: String,
        job: JobID,
        type: WebhookEvent,
        state: State,
        attemptCount: Int,
        created: Date,
        next: Date?,
        ended: Date?,
        lastStatus: Int?,
        lastError: String?
    ) {
        self.id = id
        self.webhook = webhook
        self.url = url
        self.job = job
        self.type = type
        self.state = state
        self.attemptCount = attemptCount
        self.created = created
        self.next = next
        self.ended = ended
        self.lastStatus = lastStatus
        self.lastError = lastError
    }
}

/// The body of `POST /v1/webhooks:replay`: one message, or those of a webhook that were given up.
package struct WebhookReplay: Sendable, Hashable, Codable {
    /// The message, whatever became of it.
    package var message: WebhookMessageID?
    /// The webhook of which all messages that were given up are sent again.
    package var webhook: WebhookID?

    package init(message: WebhookMessageID? = nil, webhook: WebhookID? = nil) {
        self.message = message
        self.webhook = webhook
    }
}

/// The answer to `POST /v1/webhooks:replay`.
package struct WebhookReplayed: Sendable, Hashable, Codable {
    /// The number of messages that are sent again.
    package var count: Int

    package init(count: Int) { self.count = count }
}
