import Farm
import Foundation
import WireProtocol

/// Where webhooks and their messages are kept. A message is made with the event that it tells of, in one transaction.
protocol WebhookStore: Sendable {
    /// Keeps a webhook.
    /// - Returns: nil when its owner has one of this address.
    func addWebhook(_ order: WebhookOrder, owner: String, secret: Data) async throws(FarmStoreError) -> WebhookView?

    /// The webhooks, the newest first.
    /// - Parameter owner: that of all; nil for everybody's.
    func webhooks(of owner: String?) async throws(FarmStoreError) -> [WebhookView]

    /// The webhook of an owner with an address; nil for none.
    func webhook(of owner: String, at url: String) async throws(FarmStoreError) -> WebhookID?

    /// Gives a webhook a new secret; messages are also signed with the one before until the overlap ends.
    /// - Returns: nil for an unknown one.
    func rotateWebhook(
        _ id: WebhookID,
        to secret: Data,
        overlapMilliseconds: Int64
    ) async throws(FarmStoreError) -> WebhookView?

    /// Removes a webhook. Its messages that are to be sent are given up.
    func removeWebhook(_ id: WebhookID) async throws(FarmStoreError)

    /// Messages, the newest first.
    func deliveries(_ filter: WebhookDeliveryFilter) async throws(FarmStoreError) -> [WebhookDelivery]

    /// Sends messages of an owner again: one whatever became of it, or those of a webhook that were given up.
    /// - Parameter owner: nil for everybody's.
    /// - Returns: the number of messages.
    func replay(_ order: WebhookReplay, of owner: String?) async throws(FarmStoreError) -> Int

    /// Leases the message that is due longest, of a webhook that was not removed and to which nobody sends now.
    /// - Returns: nil when nothing is due.
    func claimDelivery(forMilliseconds: Int64) async throws(FarmStoreError) -> ClaimedDelivery?

    /// Notes what came of an attempt.
    /// - Returns: whether the lease was still held; else another's attempt counts.
    @discardableResult
    func endAttempt(_ claim: ClaimedDelivery, _ outcome: WebhookOutcome) async throws(FarmStoreError) -> Bool

    /// Removes messages that ended so long ago, and gives those up that removed webhooks still have.
    /// - Returns: their number, at most `limit`.
    func forgetDeliveries(endedBefore milliseconds: Int64, limit: Int) async throws(FarmStoreError) -> Int
}

/// The choice of the messages that are listed.
struct WebhookDeliveryFilter: Sendable {
    /// Nil for everybody's.
    var owner: String?
    /// Nil for every webhook's.
    var webhook: WebhookID?
    /// Nil for every state.
    var state: WebhookDelivery.State?
    /// The most messages.
    var limit: Int
}

/// A message that this coordinator sends now.
struct ClaimedDelivery: Sendable {
    let id: WebhookMessageID
    let webhook: WebhookID
    /// The lease by which the outcome is noted.
    let lease: UUID
    let url: String
    let body: String
    /// The keys of the signatures.
    let secrets: [Data]
    /// The time of the claim, by the database's clock.
    let now: FarmTime
    /// The number of attempts, this one among them.
    let attemptCount: Int
}

/// What came of one attempt.
enum WebhookOutcome: Sendable, Equatable {
    case delivered(status: Int)
    /// - Parameters:
    ///   - status: nil when no answer came.
    ///   - isFinal: whether another attempt cannot help.
    case failed(status: Int?, reason: String, isFinal: Bool)
}
