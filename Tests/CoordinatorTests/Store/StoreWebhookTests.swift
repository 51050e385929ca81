import Farm
import Foundation
import PostgreSQL
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Messages of webhooks in the database.
@Suite struct StoreWebhookTests {
    private func hook(
        _ store: PostgresFarmStore,
        _ jobs: WebhookJobs,
        of owner: String = "editor",
        _ events: [WebhookEvent]? = nil
    ) async throws -> WebhookView {
        let order = WebhookOrder(url: "https://a.test/\(jobs)", jobs: jobs, events: events)
        return try #require(try await store.addWebhook(order, owner: owner, secret: WebhookSignature.draw()))
    }

    private func cancelledJob(
        _ store: PostgresFarmStore,
        of owner: String = "editor",
        naming webhook: WebhookID? = nil
    ) async throws -> JobID {
        var job = try FarmPieces.job(owner: owner)
        job.webhook = webhook
        let id = try await store.insertJob(job).job.id
        _ = try await store.cancel(id)
        return id
    }

    private func all(_ store: PostgresFarmStore) async throws -> [WebhookDelivery] {
        try await store.deliveries(WebhookDeliveryFilter(limit: 100))
    }

    private func claim(_ store: PostgresFarmStore) async throws -> ClaimedDelivery? {
        try await store.claimDelivery(forMilliseconds: 60_000)
    }

    @Test func eachIsToldOfItsJobs() async throws {
        let store = try await StoreDatabase.store()
        let named = try await hook(store, .named)
        let own = try await hook(store, .own, [.cancelled])
        let all = try await hook(store, .all, of: "boss")
        _ = try await hook(store, .own, of: "other")
        let plain = try await cancelledJob(store)
        let naming = try await cancelledJob(store, naming: named.id)
        let strange = try await cancelledJob(store, of: "stranger")
        let told = Set(try await self.all(store).map { "\($0.webhook) \($0.job) \($0.type.rawValue)" })
        let expected = [(own, plain), (all, plain), (named, naming), (own, naming), (all, naming), (all, strange)]
        #expect(told == Set(expected.map { "\($0.id) \($1) job.cancelled" }))
        let mine = try await store.deliveries(WebhookDeliveryFilter(owner: "editor", limit: 100))
        #expect(mine.count == 3 && mine.allSatisfy { $0.state == .pending })
        let counts = try await store.webhooks(of: nil).map(\.pendingCount)
        #expect(counts.sorted() == [0, 1, 2, 3])
    }

    @Test func aMessageSaysWhatHappened() async throws {
        let store = try await StoreDatabase.store()
        _ = try await hook(store, .own)
        store.setClock(FarmTime(milliseconds: 1_800_000_000_123))
        let job = try await cancelledJob(store)
        let claimed = try #require(try await claim(store))
        struct Said: Decodable { var type: String, timestamp: String, data: [String: String] }
        let said = try JSONDecoder().decode(Said.self, from: Data(claimed.body.utf8))
        #expect(said.type == "job.cancelled" && said.timestamp == "2027-01-15T08:00:00.123Z")
        #expect(said.data == ["job": "\(job)", "title": "cut.json", "owner": "editor", "state": "cancelled"])
    }

    /// The lease gives a message to one sender; after its end another one sends, and the first one's outcome counts for
    /// nothing. To one webhook goes one message at a time.
    @Test func oneSendsAtATime() async throws {
        let target = try await StoreDatabase.make()
        let (store, other) = (try await StoreDatabase.open(target), try await StoreDatabase.open(target))
        for store in [store, other] { store.setClock(FarmTime(milliseconds: 1_000_000)) }
        let webhook = try await hook(store, .own)
        _ = try await cancelledJob(store)
        _ = try await cancelledJob(store)
        let first = try #require(try await claim(store))
        #expect(try await claim(other) == nil, "the webhook is being sent to")
        for store in [store, other] { store.setClock(FarmTime(milliseconds: 1_059_999)) }
        #expect(try await claim(other) == nil)
        for store in [store, other] { store.setClock(FarmTime(milliseconds: 1_060_000)) }
        let second = try #require(try await claim(other))
        #expect(second.id == first.id && second.attemptCount == 2)
        #expect(try await !store.endAttempt(first, .delivered(status: 200)))
        #expect(try await other.endAttempt(second, .delivered(status: 200)))
        let third = try #require(try await claim(store))
        #expect(third.id != first.id && third.webhook == webhook.id)
        #expect(try await all(store).map(\.state) == [.pending, .delivered])
    }

    /// Receivers of one owner that hang hold up nobody else's messages, however many there are and however old.
    @Test func ownersTakeTurns() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 1_000_000))
        for index in 0..<3 {
            let order = WebhookOrder(url: "https://a.test/\(index)", jobs: .own)
            _ = try await store.addWebhook(order, owner: "editor", secret: WebhookSignature.draw())
        }
        let other = try await hook(store, .own, of: "other")
        for _ in 0..<2 { _ = try await cancelledJob(store) }
        store.setClock(FarmTime(milliseconds: 1_001_000))
        _ = try await cancelledJob(store, of: "other")
        #expect(try await claim(store)?.webhook != other.id)
        #expect(try await claim(store)?.webhook == other.id)
        let rest = [try await claim(store), try await claim(store), try await claim(store)]
        #expect(rest.map { $0 != nil } == [true, true, false])
    }

    @Test func anOwnerHasAtMostFifty() async throws {
        let store = try await StoreDatabase.store()
        func add(_ number: Int, of owner: String = "editor") async throws -> WebhookView? {
            let order = WebhookOrder(url: "https://a.test/\(number)", jobs: .named)
            return try await store.addWebhook(order, owner: owner, secret: WebhookSignature.draw())
        }
        let first = try #require(try await add(1))
        for number in 2...50 { #expect(try await add(number) != nil) }
        await #expect(throws: FarmStoreError.self) { try await add(51) }
        #expect(try await add(51, of: "other") != nil)
        try await store.removeWebhook(first.id)
        #expect(try await add(51) != nil)
    }

    /// An event that is stored at the moment of the removal writes a message that the removal does not see.
    @Test func nothingIsSentToARemovedWebhook() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 1_000_000))
        let (gone, kept) = (try await hook(store, .own), try await hook(store, .named))
        let job = try await cancelledJob(store, naming: kept.id)
        try await store.transact { connection, _ in
            try connection.execute("UPDATE webhook SET removed_ms = 1 WHERE id = '\(gone.id.uuid)'")
        }
        let claimed = try #require(try await claim(store))
        #expect(claimed.webhook == kept.id)
        #expect(try await claim(store) == nil)
        #expect(try await store.forgetDeliveries(endedBefore: 1000, limit: 10) == 0)
        let message = try #require(try await all(store).first { $0.webhook == gone.id })
        #expect(message.job == job && message.state == .failed && message.lastError == "The webhook was removed.")
        store.setClock(FarmTime(milliseconds: 1_001_001))
        #expect(try await store.forgetDeliveries(endedBefore: 1000, limit: 10) == 1)
        #expect(try await all(store).map(\.webhook) == [kept.id])
    }

    /// Several coordinators that look at the same moment never take one message twice.
    @Test func manyClaimEachOnce() async throws {
        let store = try await StoreDatabase.store(connections: 8)
        for index in 0..<12 {
            let order = WebhookOrder(url: "https://a.test/\(index)", jobs: .own)
            _ = try await store.addWebhook(order, owner: "editor", secret: WebhookSignature.draw())
        }
        _ = try await cancelledJob(store)
        let claims = try await withThrowingTaskGroup(of: ClaimedDelivery?.self) { group in
            for _ in 0..<24 { group.addTask { try await store.claimDelivery(forMilliseconds: 60_000) } }
            return try await group.reduce(into: [ClaimedDelivery]()) { if let claim = $1 { $0.append(claim) } }
        }
        var left: [ClaimedDelivery] = []
        while let claim = try await claim(store) { left.append(claim) }
        let ids = (claims + left).map(\.id)
        #expect(ids.count == 12 && Set(ids).count == 12)
    }

    /// Sent again after each wait, given up in the end, replayed with the same identifier.
    @Test func aMessageIsGivenUpAfterADayAndReplayed() async throws {
        let store = try await StoreDatabase.store()
        var now: Int64 = 1_000_000
        store.setClock(FarmTime(milliseconds: now))
        let webhook = try await hook(store, .own)
        _ = try await cancelledJob(store)
        let failed = WebhookOutcome.failed(status: 500, reason: "It answered with status 500.", isFinal: false)
        var sent: [WebhookMessageID] = []
        for wait in WebhookBackoff.waits {
            let claimed = try #require(try await claim(store))
            sent.append(claimed.id)
            try await store.endAttempt(claimed, failed)
            store.setClock(FarmTime(milliseconds: now + wait * 1000 - 1))
            #expect(try await claim(store) == nil)
            now += wait * 1000
            store.setClock(FarmTime(milliseconds: now))
        }
        try await store.endAttempt(try #require(try await claim(store)), failed)
        let over = try #require(try await all(store).first)
        #expect(over.state == .failed && over.attemptCount == 13 && over.lastStatus == 500 && over.next == nil)
        #expect(try await store.replay(WebhookReplay(webhook: webhook.id), of: "other") == 0)
        #expect(try await store.replay(WebhookReplay(webhook: webhook.id), of: "editor") == 1)
        let again = try #require(try await claim(store))
        #expect(Set(sent + [again.id]).count == 1 && again.attemptCount == 1)
        try await store.endAttempt(again, .delivered(status: 200))
        #expect(try await store.replay(WebhookReplay(webhook: webhook.id), of: nil) == 0, "it was delivered")
        #expect(try await store.replay(WebhookReplay(message: again.id), of: nil) == 1)
        let last = try #require(try await claim(store))
        try await store.endAttempt(last, .failed(status: 410, reason: "gone", isFinal: true))
        #expect(try await all(store).first?.state == .failed)
        store.setClock(FarmTime(milliseconds: now + 1000))
        #expect(try await store.forgetDeliveries(endedBefore: 1001, limit: 10) == 0)
        #expect(try await store.forgetDeliveries(endedBefore: 999, limit: 10) == 1)
    }

    @Test func aRemovedWebhookIsSentNothing() async throws {
        let store = try await StoreDatabase.store()
        let webhook = try await hook(store, .own)
        #expect(
            try await store.addWebhook(
                WebhookOrder(url: webhook.url, jobs: .all),
                owner: "editor",
                secret: WebhookSignature.draw()
            ) == nil
        )
        _ = try await cancelledJob(store)
        try await store.removeWebhook(webhook.id)
        _ = try await cancelledJob(store)
        #expect(try await claim(store) == nil)
        let message = try #require(try await all(store).first)
        #expect(message.state == .failed && message.lastError == "The webhook was removed.")
        #expect(try await store.replay(WebhookReplay(message: message.id), of: nil) == 0)
        #expect(try await store.webhooks(of: nil).isEmpty)
        #expect(try await hook(store, .own).url == webhook.url, "the address is free again")
    }

    @Test func aRotatedSecretSignsBesideTheNewOne() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 1_000_000))
        let webhook = try await hook(store, .own)
        for _ in 0..<2 { _ = try await cancelledJob(store) }
        let fresh = WebhookSignature.draw()
        _ = try await store.rotateWebhook(webhook.id, to: fresh, overlapMilliseconds: 5000)
        let during = try #require(try await claim(store))
        #expect(during.secrets.count == 2 && during.secrets[0] == fresh)
        try await store.endAttempt(during, .delivered(status: 200))
        store.setClock(FarmTime(milliseconds: 1_005_000))
        #expect(try await claim(store)?.secrets == [fresh])
    }
}
