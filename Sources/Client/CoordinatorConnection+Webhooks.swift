import Curl
package import WireProtocol

/// Webhooks of the token's owner, or of everybody for an admin.
extension CoordinatorConnection {
    /// The webhooks, the newest first.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func webhooks() async throws(ClientError) -> [WebhookView] {
        try await get([WebhookView].self, "/v1/webhooks")
    }

    /// Makes a webhook.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 422 for an address to which it
    ///   does not send.
    package func addWebhook(_ order: WebhookOrder) async throws(ClientError) -> WebhookMade {
        try await post("/v1/webhooks", order, returning: WebhookMade.self)
    }

    /// Gives a webhook a new secret.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func rotate(_ webhook: WebhookID, _ order: WebhookRotation) async throws(ClientError) -> WebhookMade {
        try await post("/v1/webhooks/\(webhook)/rotate", order, returning: WebhookMade.self)
    }

    /// Removes a webhook.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func removeWebhook(_ webhook: WebhookID) async throws(ClientError) {
        _ = try await send(request(.delete, "/v1/webhooks/\(webhook)", timeout: .seconds(60)))
    }

    /// The messages to webhooks, the newest first.
    /// - Parameters:
    ///   - webhook: that of all messages; nil for every webhook's.
    ///   - state: the state of all messages; nil for every state.
    ///   - limit: the most messages, from 1 to 1000.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func deliveries(
        to webhook: WebhookID?,
        _ state: WebhookDelivery.State?,
        limit: Int
    ) async throws(ClientError) -> [WebhookDelivery] {
        let only = webhook.map { "&webhook=\($0)" } ?? ""
        let words = state.map { "&state=\($0.rawValue)" } ?? ""
        return try await get([WebhookDelivery].self, "/v1/webhooks:deliveries?limit=\(limit)\(only)\(words)")
    }

    /// Sends messages again.
    /// - Returns: their number.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func replay(_ order: WebhookReplay) async throws(ClientError) -> Int {
        try await post("/v1/webhooks:replay", order, returning: WebhookReplayed.self).count
    }
}
