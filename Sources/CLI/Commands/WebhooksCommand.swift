import ArgumentParser
import Client
import Foundation
import WireProtocol

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Addresses that are told when jobs complete, fail, are cancelled or late.",
        discussion: """
            Messages are signed as Standard Webhooks has it; the secret is printed once. They are sent only to hosts of the \
            coordinator's --webhook-allow, again for a day when the receiver does not take them, and once more by replay.

              cutfarm webhooks add https://hooks.example.com/cutfarm > secret
              cutfarm submit edit.json --webhook https://hooks.example.com/cutfarm
              cutfarm webhooks add https://hooks.example.com/late --events job.late
              cutfarm webhooks deliveries --state failed
              cutfarm webhooks replay hook_0197
            """,
        subcommands: [
            WebhooksListCommand.self, WebhooksAddCommand.self, WebhooksRotateCommand.self, WebhooksRemoveCommand.self,
            WebhooksDeliveriesCommand.self, WebhooksReplayCommand.self,
        ],
        defaultSubcommand: WebhooksListCommand.self
    )
}

struct WebhooksListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List webhooks, the newest first.")

    @OptionGroup var options: ListOptions

    func run() async throws {
        try options.print(try await options.farm.connect().webhooks()) { WebhookTable.text($0) }
    }
}

struct WebhooksAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a webhook and print its secret."
    )

    @Argument(help: ArgumentHelp("The receiver's address, http or https.", valueName: "url"))
    var url: String

    @Option(
        help: ArgumentHelp(
            "The jobs of which it is told: named (those submitted with --webhook), own, or all of the farm (admin).",
            valueName: "which"
        )
    )
    var jobs = WebhookJobs.named

    @Option(
        help: ArgumentHelp(
            "Some of job.completed, job.failed, job.cancelled, job.late; else all.",
            valueName: "event,…"
        )
    )
    var events: String?

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output, with the secret.")
    var json = false

    func run() async throws {
        var named: [WebhookEvent]?
        if let events {
            named = try events.split(separator: ",").map { word in
                guard let event = WebhookEvent(rawValue: String(word)) else {
                    let known = WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ")
                    throw CommandFailure(.usage, "“\(word)” is no event; there are \(known).")
                }
                return event
            }
        }
        let made = try await farm.connect().addWebhook(WebhookOrder(url: url, jobs: jobs, events: named))
        try WebhookSecretText.print(made, json: json)
    }
}

extension WebhookJobs: ExpressibleByArgument {}
extension WebhookDelivery.State: ExpressibleByArgument {}

struct WebhooksRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Give a webhook a new secret and print it."
    )

    @Argument(help: ArgumentHelp("The webhook's id or its beginning, or its address.", valueName: "webhook"))
    var webhook: String

    @Option(
        help: ArgumentHelp("How long messages are also signed with the secret before, such as 24h.", valueName: "span")
    )
    var overlap = SpanArgument(hours: 24)

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output, with the secret.")
    var json = false

    func run() async throws {
        let connection = try farm.connect()
        let id = try await WebhookChoice.one(webhook, connection)
        let made = try await connection.rotate(id, WebhookRotation(overlapSeconds: overlap.seconds))
        try WebhookSecretText.print(made, json: json)
    }
}

struct WebhooksRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a webhook; what was to be sent to it is not."
    )

    @Argument(help: ArgumentHelp("The webhook's id or its beginning, or its address.", valueName: "webhook"))
    var webhook: String

    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let connection = try farm.connect()
        let id = try await WebhookChoice.one(webhook, connection)
        try await connection.removeWebhook(id)
        Console.print("Removed \(id).")
    }
}

struct WebhooksDeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "List the messages to webhooks, the newest first."
    )

    @Option(help: ArgumentHelp("Those to this webhook: its id or its beginning, or its address.", valueName: "webhook"))
    var webhook: String?

    @Option(help: ArgumentHelp("Those that are pending, delivered or failed.", valueName: "state"))
    var state: WebhookDelivery.State?

    @Option(help: ArgumentHelp("The most messages, 1 to 1000.", valueName: "n"))
    var limit = 100

    @OptionGroup var options: ListOptions

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 1000.") }
    }

    func run() async throws {
        let connection = try options.farm.connect()
        var only: WebhookID?
        if let webhook { only = try await WebhookChoice.one(webhook, connection) }
        try options.print(try await connection.deliveries(to: only, state, limit: limit)) { WebhookTable.text($0) }
    }
}

struct WebhooksReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send a message again, or all of a webhook that were given up."
    )

    @Argument(
        help: ArgumentHelp(
            "A message's id (msg_…); or a webhook's id or its beginning, or its address.",
            valueName: "what"
        )
    )
    var what: String

    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let connection = try farm.connect()
        var order = WebhookReplay(message: WebhookMessageID(text: what))
        if order.message == nil { order.webhook = try await WebhookChoice.one(what, connection) }
        let count = try await connection.replay(order)
        guard count > 0 || order.message == nil else {
            throw CommandFailure(.usage, "There is no message \(what) that you may send again.")
        }
        Console.print(count == 1 ? "1 message is sent again." : "\(count) messages are sent again.")
    }
}

/// The webhook that a person means.
private enum WebhookChoice {
    static func one(_ text: String, _ connection: CoordinatorConnection) async throws -> WebhookID {
        if let id = WebhookID(text: text) { return id }
        return try NamedThing.one(
            text,
            of: try await connection.webhooks().map { ($0.id, $0.url) },
            kind: "webhook",
            has: "the address",
            list: "cutfarm webhooks"
        )
    }
}

private enum WebhookSecretText {
    static func print(_ made: WebhookMade, json: Bool) throws {
        let words = "\(made.webhook.id) of \(made.webhook.owner.visible), \(made.webhook.url.visible)."
        try DrawnSecret.print(made, made.secret, words, json: json)
    }
}
