package import Foundation

/// The events of jobs that webhooks are told of.
package enum WebhookEvent: String, Sendable, Hashable, Codable, CaseIterable {
    case completed = "job.completed"
    case failed = "job.failed"
    case cancelled = "job.cancelled"
    /// A job misses its deadline, or will.
    case late = "job.late"
}

/// The jobs of which a webhook is told.
package enum WebhookJobs: String, Sendable, Hashable, Codable, CaseIterable {
    /// Those that were submitted with its address.
    case named
    /// All of its owner.
    case own
    /// All of the farm.
    case all
}

/// The body of `POST /v1/webhooks`.
package struct WebhookOrder: Sendable, Hashable, Codable {
    /// The address, http or https, which the coordinator's allow-list has to permit.
    package var url: String
    /// The jobs of which it is told; `all` needs the scope `admin`.
    package var jobs: WebhookJobs
    /// The events; nil is all.
    package var events: [WebhookEvent]?

    package init(url: String, jobs: WebhookJobs, events: [WebhookEvent]? = nil) {
        self.url = url
        self.jobs = jobs
        self.events = events
    }
}

/// A webhook, as clients see it: a row of `GET /v1/webhooks`. Its secret is never shown again.
package struct WebhookView: Sendable, Hashable, Codable {
    package var id: WebhookID
    package var url: String
    package var owner: String
    package var jobs: WebhookJobs
    package var events: [WebhookEvent]
    package var created: Date
    /// The number of messages that are to be sent.
    package var pendingCount: Int
    /// The number of messages that were given up and are still kept.
    package var failedCount: Int

    package init(
        id: WebhookID,
        url: String,
        owner: String,
        jobs: WebhookJobs,
        events: [WebhookEvent],
        created: Date,
        pendingCount: Int,
        failedCount: Int
    ) {
        self.id = id
        self.url = url
        self.owner = owner
        self.jobs = jobs
        self.events = events
        self.created = created
        self.pendingCount = pendingCount
        self.failedCount = failedCount
    }
}

/// The answer to a request that makes a webhook or gives it a new secret: the only one that holds the secret.
package struct WebhookMade: Sendable, Hashable, Codable {
    /// The key of the signatures: `whsec_` and the base64 of 32 bytes.
    package var secret: String
    package var webhook: WebhookView

    package init(secret: String, webhook: WebhookView) {
        self.secret = secret
        self.webhook = webhook
    }
}

/// The body of `POST /v1/webhooks/{id}/rotate`.
package struct WebhookRotation: Sendable, Hashable, Codable {
    /// The seconds for which messages are also signed with the secret before.
    package var overlapSeconds: Int64

    package init(overlapSeconds: Int64) { self.overlapSeconds = overlapSeconds }
}
