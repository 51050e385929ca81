import Farm
import Foundation
import Hummingbird
import Logging
import WireProtocol

/// Webhooks and their messages. Everybody sees and changes their own, an admin all.
struct WebhookRoutes: RouteGroup {
    let webhooks: JobWebhooks
    let logger: Logger

    /// The longest overlap of two secrets, in seconds: a year.
    private static let longestOverlap: Int64 = 366 * 86_400

    func add(to table: RouteTable) {
        table.on(.get, "/v1/webhooks", .submit) { _, context in
            try await .json(webhooks.kept().webhooks(of: owner(context)))
        }
        table.on(.post, "/v1/webhooks", .submit) { request, context in
            let order = try await request.json(WebhookOrder.self, upTo: BodyLimit.small, context)
            return try await add(order, try context.require([.submit]))
        }
        table.on(.post, "/v1/webhooks/{id}/rotate", .submit) { request, context in
            let order = try await request.json(WebhookRotation.self, upTo: BodyLimit.small, context)
            guard (0...Self.longestOverlap).contains(order.overlapSeconds) else {
                throw Problem.unprocessable("invalid_request", "overlapSeconds is from 0 to \(Self.longestOverlap).")
            }
            let (webhook, secret) = (try await named(context), WebhookSignature.draw())
            let rotated = try await webhooks.kept().rotateWebhook(
                webhook.id,
                to: secret,
                overlapMilliseconds: order.overlapSeconds * 1000
            )
            guard let rotated else { throw Problem.notFound }
            note("rotated", rotated, context)
            return try .json(WebhookMade(secret: WebhookSignature.text(secret), webhook: rotated), status: .created)
        }
        table.on(.delete, "/v1/webhooks/{id}", .submit) { _, context in
            let webhook = try await named(context)
            try await webhooks.kept().removeWebhook(webhook.id)
            note("removed", webhook, context)
            return .noContent
        }
        table.on(.get, "/v1/webhooks:deliveries", .submit, query: ["webhook", "state", "limit"]) { request, context in
            try await .json(webhooks.kept().deliveries(try filter(request, context)))
        }
        table.on(.post, "/v1/webhooks:replay", .submit) { request, context in
            let order = try await request.json(WebhookReplay.self, upTo: BodyLimit.small, context)
            guard (order.message == nil) != (order.webhook == nil) else {
                throw Problem.unprocessable("invalid_request", "Name a message or a webhook, one of them.")
            }
            return try await .json(WebhookReplayed(count: webhooks.kept().replay(order, of: owner(context))))
        }
    }

    private func add(_ order: WebhookOrder, _ principal: Principal) async throws -> Response {
        guard order.jobs != .all || principal.may(.admin) else { throw Problem.forbidden([.admin]) }
        guard order.events?.isEmpty != true else {
            throw Problem.unprocessable("invalid_request", "Name at least one event, or leave events out for all.")
        }
        let store = try webhooks.kept()
        try webhooks.check(order.url)
        let secret = WebhookSignature.draw()
        guard let made = try await store.addWebhook(order, owner: principal.owner, secret: secret) else {
            throw Problem.conflict(
                "webhook_exists",
                "“\(principal.owner)” has a webhook at this address; remove it first."
            )
        }
        logger.notice("webhook added", metadata: ["webhook": "\(made.id)", "owner": "\(made.owner)"])
        return try .json(WebhookMade(secret: WebhookSignature.text(secret), webhook: made), status: .created)
    }

    /// Whose webhooks the principal may see; nil for everybody's.
    private func owner(_ context: FarmRequestContext) throws(Problem) -> String? {
        let principal = try context.require([.submit])
        return principal.may(.admin) ? nil : principal.owner
    }

    /// The webhook that the path names.
    /// - Throws: status 404 when there is none, or it is somebody else's.
    private func named(_ context: FarmRequestContext) async throws -> WebhookView {
        let id: WebhookID = try context.identifier()
        let all = try await webhooks.kept().webhooks(of: try owner(context))
        guard let webhook = all.first(where: { $0.id == id }) else { throw Problem.notFound }
        return webhook
    }

    private func filter(
        _ request: Request,
        _ context: FarmRequestContext
    ) throws(Problem) -> WebhookDeliveryFilter {
        var filter = WebhookDeliveryFilter(
            owner: try owner(context),
            limit: try request.number("limit", in: 1...1000) ?? 100
        )
        if let text = request.uri.queryParameters["webhook"] {
            guard let id = WebhookID(text: String(text)) else {
                throw .parameter("webhook", text, "the id of a webhook")
            }
            filter.webhook = id
        }
        if let text = request.uri.queryParameters["state"] {
            guard let state = WebhookDelivery.State(rawValue: String(text)) else {
                let known = WebhookDelivery.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw .parameter("state", text, "one of \(known)")
            }
            filter.state = state
        }
        return filter
    }

    private func note(_ what: String, _ webhook: WebhookView, _ context: FarmRequestContext) {
        let who = context.principal?.owner ?? ""
        logger.notice("webhook \(what)", metadata: ["webhook": "\(webhook.id)", "by": "\(who)"])
    }
}
