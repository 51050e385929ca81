import CompositionModel
import Farm
import Foundation
import PostgreSQL
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Webhooks from the API to a receiver that is down, slow, broken, or somewhere else than it was.
@Suite struct WebhookTests {
    /// A coordinator that may send to `hooks.test` and 127.0.0.1, the receiver, and what DNS says.
    private struct Scene {
        let farm: RunningCoordinator
        let store: PostgresFarmStore
        let receiver: WebhookReceiver
        let clock: TestClock
        let names: Names
        var url: String { "http://hooks.test:\(receiver.port)/hook" }

        func add(_ url: String? = nil) async throws -> WebhookMade {
            let order = WebhookOrder(url: url ?? self.url, jobs: .own)
            let made = try await farm.post("/v1/webhooks", order, as: "editor").decode(WebhookMade.self)
            try receiver.know([made.secret])
            return made
        }

        func cancelAJob() async throws {
            let job = try await store.insertJob(FarmPieces.job()).job.id
            _ = try await store.cancel(job)
        }

        /// The only message, once it was tried so often.
        func message(afterAttempts count: Int) async throws -> WebhookDelivery {
            try await message { $0.attemptCount == count && ($0.lastError != nil || $0.state == .delivered) }
        }

        /// The message when it is delivered. While an attempt after a failed one lasts, the failure still stands there.
        func deliveredMessage() async throws -> WebhookDelivery { try await message { $0.state == .delivered } }

        private func message(_ isMeant: (WebhookDelivery) -> Bool) async throws -> WebhookDelivery {
            var found: WebhookDelivery?
            try await clock.turn(by: .seconds(1)) {
                let answer = try await farm.call("GET", "/v1/webhooks:deliveries", as: "editor")
                found = try answer.decode([WebhookDelivery].self).first
                return found.map(isMeant) == true
            }
            return try #require(found)
        }
    }

    /// What a resolver answers, which a test changes.
    private final class Names: Sendable {
        let addresses = Mutex(["127.0.0.1"])
    }

    private func scene(_ body: (Scene) async throws -> Void) async throws {
        let (store, receiver) = (try await StoreDatabase.store(), try await WebhookReceiver())
        let (clock, names) = (TestClock(), Names())
        try await withCoordinator { configuration, _ in
            configuration.store = store
            configuration.clock = clock
            configuration.webhookHosts = try WebhookAllowList(["hooks.test", "127.0.0.1"])
            configuration.resolveHost = { _ in names.addresses.withLock(\.self) }
        } _: { farm in
            try await body(Scene(farm: farm, store: store, receiver: receiver, clock: clock, names: names))
        }
    }

    @Test func aMessageIsSignedAndDeliveredOnce() async throws {
        try await scene { scene in
            let made = try await scene.add()
            try await scene.cancelAJob()
            let delivery = try await scene.message(afterAttempts: 1)
            #expect(delivery.state == .delivered && delivery.lastStatus == 204)
            let messages = try scene.receiver.messages()
            #expect(messages.map(\.id) == ["\(delivery.id)"] && messages[0].signedBy == [made.secret])
            #expect(messages[0].body.contains("\(delivery.job)") && messages[0].path == "/hook")
        }
    }

    @Test func aReceiverThatFailsIsTriedAgain() async throws {
        try await scene { scene in
            // The time stands still, so that no second attempt is due before the receiver takes messages.
            scene.store.setClock(FarmTime(milliseconds: 1_800_000_000_000))
            _ = try await scene.add()
            try scene.receiver.behave(.fails)
            try await scene.cancelAJob()
            let failed = try await scene.message(afterAttempts: 1)
            #expect(
                failed.state == .pending && failed.lastStatus == 500 && failed.next ?? .distantPast > failed.created
            )
            try scene.receiver.behave(.takes)
            // The wait is the database's time.
            scene.store.setClock(FarmTime(failed.created).adding(milliseconds: 3_600_000))
            #expect(try await scene.deliveredMessage().attemptCount == 2)
            #expect(Set(try scene.receiver.messages().map(\.id)).count == 1)
        }
    }

    /// A receiver that takes the message and says nothing keeps a lane for a limited time, and is tried again.
    @Test func aReceiverThatHangsIsGivenUpForNow() async throws {
        let receiver = try await WebhookReceiver()
        try receiver.behave(.hangs)
        let allowed = try WebhookAllowList(["127.0.0.1"])
        let transport = WebhookTransport(allowed: allowed, resolve: { _ in [] }, timeout: .milliseconds(300))
        let delivery = ClaimedDelivery(
            id: WebhookMessageID(uuid: UUID()),
            webhook: WebhookID(uuid: UUID()),
            lease: UUID(),
            url: "http://127.0.0.1:\(receiver.port)/hook",
            body: "{}",
            secrets: [],
            now: FarmTime(milliseconds: 1_800_000_000_000),
            attemptCount: 1
        )
        guard case .failed(nil, let reason, false) = await transport.send(delivery) else {
            Issue.record("a receiver that hangs was not noted as one to ask again")
            return
        }
        #expect(!reason.isEmpty)
        #expect(try receiver.messages().count == 1)
        #expect(
            WebhookTransport(allowed: allowed, resolve: { _ in [] }).timeout * 3
                < .milliseconds(WebhookSender.leaseMilliseconds)
        )
    }

    /// While nobody listens nothing is lost.
    @Test func aReceiverThatIsDownGetsItsMessageLater() async throws {
        try await scene { scene in
            _ = try await scene.add()
            try await scene.receiver.stop()
            try await scene.cancelAJob()
            let failed = try await scene.message(afterAttempts: 1)
            #expect(failed.state == .pending && failed.lastStatus == nil && failed.lastError != nil)
            let back = try await WebhookReceiver(port: scene.receiver.port)
            scene.store.setClock(FarmTime(failed.created).adding(milliseconds: 3_600_000))
            #expect(try await scene.deliveredMessage().attemptCount == 2)
            #expect(try back.messages().count == 1)
        }
    }

    @Test(arguments: [WebhookReceiver.Behaviour.redirects, .floods, .isGone])
    func whatIsNoAnswer(behaviour: WebhookReceiver.Behaviour) async throws {
        try await scene { scene in
            _ = try await scene.add()
            try scene.receiver.behave(behaviour)
            try await scene.cancelAJob()
            let delivery = try await scene.message(afterAttempts: 1)
            #expect(delivery.state == (behaviour == .isGone ? .failed : .pending), "\(delivery)")
            #expect(try scene.receiver.messages().map(\.path) == ["/hook"], "no redirect is followed")
        }
    }

    /// The receiver listens at every address of this machine; what its name leads to decides.
    @Test func aNameThatLeadsElsewhereIsNotFollowed() async throws {
        try await scene { scene in
            _ = try await scene.add()
            scene.names.addresses.withLock { $0 = ["127.0.0.2"] }
            try await scene.cancelAJob()
            let refused = try await scene.message(afterAttempts: 1)
            #expect(refused.lastError?.contains("address 127.0.0.2 is none that may be connected to") == true)
            #expect(try scene.receiver.messages().isEmpty)
            scene.names.addresses.withLock { $0 = ["127.0.0.1"] }
            scene.store.setClock(FarmTime(refused.created).adding(milliseconds: 3_600_000))
            #expect(try await scene.deliveredMessage().attemptCount == 2)
        }
    }

    @Test func whoMayMakeWhichWebhooks() async throws {
        try await scene { scene in
            let farm = scene.farm
            func post(_ order: WebhookOrder, as who: String) async throws -> HTTPAnswer {
                try await farm.post("/v1/webhooks", order, as: who)
            }
            let made = try await post(WebhookOrder(url: scene.url, jobs: .named), as: "editor")
            #expect(made.status == 201)
            let webhook = try made.decode(WebhookMade.self)
            #expect(try await post(WebhookOrder(url: scene.url, jobs: .own), as: "editor").code == "webhook_exists")
            #expect(try await post(WebhookOrder(url: scene.url, jobs: .all), as: "other").code == "forbidden")
            #expect(try await post(WebhookOrder(url: scene.url, jobs: .all), as: "admin").status == 201)
            for url in ["http://127.0.0.2/", "http://localhost.:80x/", "gopher://hooks.test/", "http://[::1]/"] {
                #expect(
                    try await post(WebhookOrder(url: url, jobs: .own), as: "other").code == "webhook_refused",
                    "\(url)"
                )
            }
            let none = WebhookOrder(url: scene.url, jobs: .own, events: [])
            #expect(try await post(none, as: "other").code == "invalid_request")
            let path = "/v1/webhooks/\(webhook.webhook.id)"
            let rotation = WebhookRotation(overlapSeconds: 60)
            #expect(try await farm.post(path + "/rotate", rotation, as: "other").status == 404)
            let rotated = try await farm.post(path + "/rotate", rotation, as: "editor").decode(WebhookMade.self)
            #expect(rotated.secret != webhook.secret && rotated.webhook == webhook.webhook)
            let listed = try await farm.call("GET", "/v1/webhooks", as: "editor")
            #expect(try listed.decode([WebhookView].self) == [webhook.webhook] && !listed.text.contains("whsec_"))
            #expect(try await farm.call("GET", "/v1/webhooks").decode([WebhookView].self).count == 2)
            #expect(try await farm.call("DELETE", path, as: "other").status == 404)
            #expect(try await farm.call("DELETE", path, as: "editor").status == 204)
            #expect(try await farm.post("/v1/webhooks:replay", WebhookReplay(), as: "editor").code == "invalid_request")
            let unknown = WebhookReplay(message: WebhookMessageID(uuid: UUID()))
            #expect(try await farm.post("/v1/webhooks:replay", unknown, as: "editor").text == #"{"count":0}"#)
            #expect(try await farm.call("GET", "/v1/webhooks:deliveries?state=lost", as: "editor").status == 400)
        }
    }

    /// The webhook, or the media, is gone by now: the job is there all the same.
    @Test func aSubmissionThatWasAcceptedGivesItsJobWhateverWasRemoved() async throws {
        try await scene { scene in
            let (farm, clip) = (scene.farm, Data("a clip".utf8))
            let asset = "/v1/assets/\(ContentDigest(of: clip).hex)"
            #expect(try await farm.upload(clip, to: asset, as: "editor").status == 201)
            func submission(_ key: String, title: String = "cut.json") -> JobSubmission {
                let text = """
                    { "schema": "edit/1",
                      "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
                      "assets": { "a": "a.mp4" },
                      "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "10s" }] }],
                      "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
                    """
                return JobSubmission(
                    idempotencyKey: key,
                    editText: text,
                    title: title,
                    assets: ["a": ContentDigest(of: clip)],
                    webhook: scene.url
                )
            }
            func submit(_ submission: JobSubmission, as who: String = "editor") async throws -> HTTPAnswer {
                try await farm.post("/v1/jobs", submission, as: who)
            }
            let webhook = try await scene.add().webhook.id
            let made = try await submit(submission("first"))
            #expect(made.status == 201, "\(made.text)")
            let job = try made.decode(JobView.self).id
            #expect(try await farm.call("DELETE", "/v1/webhooks/\(webhook)", as: "editor").status == 204)
            let again = try await submit(submission("first"))
            #expect(try again.status == 200 && again.decode(JobView.self).id == job, "\(again.text)")
            let batch = JobBatch(jobs: [submission("first"), submission("second")])
            let answers = try await farm.post("/v1/jobs:batch", batch, as: "editor").decode([JobBatchAnswer].self)
            #expect(answers.map { $0.job?.id } == [job, nil])
            #expect(answers.map { $0.problem?.code } == [nil, "webhook_refused"])
            // Another submission of the key, and another owner's of the same, are refused.
            #expect(try await submit(submission("first", title: "another.json")).code == "webhook_refused")
            #expect(try await submit(submission("first"), as: "other").code == "webhook_refused")
            _ = try await scene.add()
            try await scene.store.transact { connection, _ in try connection.execute("DELETE FROM asset") }
            #expect(try await submit(submission("first")).status == 200)
            #expect(try await submit(submission("second")).code == "asset_missing")
        }
    }

    /// Without a list nothing is made, and what a submission names must be there.
    @Test func aCoordinatorWithoutAListSendsNothing() async throws {
        let store = try await StoreDatabase.store()
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            let order = WebhookOrder(url: "https://hooks.test/", jobs: .own)
            let answer = try await farm.post("/v1/webhooks", order, as: "editor")
            #expect(answer.code == "webhook_refused" && answer.text.contains("--webhook-allow"))
        }
    }
}
