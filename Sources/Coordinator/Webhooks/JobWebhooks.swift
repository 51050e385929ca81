import Farm
import WireProtocol

/// The webhooks that jobs may name.
struct JobWebhooks: Sendable {
    /// Nil for a farm without a database.
    let store: (any WebhookStore)?
    /// Nil for a coordinator that sends none.
    let allowed: WebhookAllowList?

    /// Where webhooks are kept.
    /// - Throws: status 409 for a farm that keeps none.
    func kept() throws(Problem) -> any WebhookStore {
        guard let store else {
            throw Problem(
                status: 409,
                code: "not_possible",
                title: "Conflict",
                detail: "This farm keeps no webhooks; it has no database."
            )
        }
        return store
    }

    /// Checks an address.
    /// - Throws: status 422 `webhook_refused` with a sentence when this coordinator does not send there.
    func check(_ url: String) throws(Problem) {
        let complaint = (allowed ?? .none).complaint(about: url)
        if let complaint { throw .refusedWebhook(complaint) }
    }

    /// The webhook that a submission of `owner` names by its address.
    /// - Throws: status 422 `webhook_refused` when there is none, or this coordinator does not send there; 409;
    ///   `FarmStoreError`.
    func webhook(at url: String, of owner: String) async throws -> WebhookID {
        try check(url)
        guard let id = try await kept().webhook(of: owner, at: url) else {
            throw Problem.refusedWebhook(
                "“\(owner)” has no webhook at \(url); make it first: cutfarm webhooks add \(url)"
            )
        }
        return id
    }
}

extension WebhookAllowList {
    /// The list that allows nothing.
    static let none = WebhookAllowList()
}

extension Problem {
    fileprivate static func refusedWebhook(_ detail: String) -> Problem {
        Problem(status: 422, code: "webhook_refused", title: "Not acceptable", detail: detail)
    }
}
