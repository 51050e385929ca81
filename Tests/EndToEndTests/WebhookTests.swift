import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

/// Webhooks by command, on a farm of separate processes.
@Suite(.serialized)
struct WebhookTests {
    /// The receiver is down when the job completes, and the coordinator is killed; the next one delivers, once.
    @Test func aReceiverThatWasDownIsToldByTheNextCoordinator() async throws {
        let (cutfarm, edit) = try await Cutfarm.showing(seconds: 1, of: 2)
        let database = try await TestPostgreSQL.shared.database().description
        let options = ["--webhook-allow", "127.0.0.1"]
        let farm = try await TestFarm(cutfarm, database: database, options: options)
        let receiver = try await WebhookReceiver()
        let url = "http://127.0.0.1:\(receiver.port)/hook"
        let refused = try await farm.run("webhooks", "add", "http://127.0.0.2/")
        #expect(refused.exitCode == 2 && refused.errors.contains("sends no webhooks to 127.0.0.2"), "\(refused.errors)")
        let added = try await farm.run("webhooks", "add", url)
        #expect(added.exitCode == 0, "\(added.errors)")
        let secret = added.text.trimmingCharacters(in: .whitespacesAndNewlines)
        try await receiver.stop()
        let worker = try farm.worker("one")
        let job = try await farm.submit(edit, ["--webhook", url])
        #expect(try await farm.wait(for: job).job.state == .completed)
        try await waitUntil { try await deliveries(farm).first?.lastError != nil }
        #expect(try await deliveries(farm).map(\.state) == [.pending])
        farm.coordinator.send(SIGKILL)
        _ = try await farm.coordinator.wait()
        worker.send(SIGTERM)
        _ = try await worker.wait()
        let back = try await WebhookReceiver(port: receiver.port)
        try back.know([secret])
        let next = try await TestFarm(cutfarm, database: database, options: options)
        try await waitUntil { try await deliveries(next).first?.state == .delivered }
        let messages = try back.messages()
        #expect(messages.count == 1 && messages.first?.signedBy == [secret])
        #expect(messages.first?.body.contains("\(job)") == true)
        #expect(messages.first?.body.contains("job.completed") == true)
        let again = try await next.run("webhooks", "replay", "\(try await deliveries(next)[0].id)")
        #expect(again.text == "1 message is sent again.\n", "\(again.errors)")
        try await waitUntil { try back.messages().count == 2 }
        #expect(Set(try back.messages().map(\.id)).count == 1)
        #expect(try await next.run("webhooks", "list").text.contains(url))
        try await next.stop()
    }

    private func deliveries(_ farm: TestFarm) async throws -> [WebhookDelivery] {
        let outcome = try await farm.run("webhooks", "deliveries", "--json")
        return try WireJSON.decode([WebhookDelivery].self, from: outcome.output)
    }
}
