import Farm
import Foundation
import Hummingbird
import Logging
import WireProtocol

/// Tokens that are made, listed, rotated and revoked while the farm runs. A secret is in one answer alone, to whoever asked
/// for it.
struct TokenRoutes: RouteGroup {
    let tokens: KnownTokens
    let logger: Logger

    /// The longest validity and the longest overlap, in seconds: a hundred years.
    private static let longest: Int64 = 36_525 * 86_400

    func add(to table: RouteTable) {
        table.on(.get, "/v1/tokens", .admin) { _, _ in try .json(try await store().tokens()) }
        table.on(.get, "/v1/tokens:log", .admin, query: ["token", "limit"]) { request, _ in
            let limit = try request.number("limit", in: 1...1000) ?? 100
            return try .json(try await store().tokenLog(of: try Self.token(request), limit: limit))
        }
        table.on(.post, "/v1/tokens", .admin) { request, context in
            let order = try await request.json(TokenOrder.self, upTo: BodyLimit.small, context)
            let (store, principal) = (try store(), try context.require([.admin]))
            let secret = KnownTokens.draw()
            let made = try await store.createToken(try Self.drawn(order, secret), by: principal)
            note("created", made, principal)
            return try .json(TokenMade(secret: secret, token: made), status: .created)
        }
        table.on(.post, "/v1/tokens/{id}/rotate", .admin) { request, context in
            let (id, principal): (TokenID, Principal) = (try context.identifier(), try context.require([.admin]))
            let order = try await request.json(TokenRotation.self, upTo: BodyLimit.small, context)
            guard (0...Self.longest).contains(order.overlapSeconds) else {
                throw Problem.unprocessable("invalid_request", "overlapSeconds is from 0 to \(Self.longest).")
            }
            let secret = KnownTokens.draw()
            let rotated = try await store().rotateToken(
                id,
                to: secret.sha256,
                overlapMilliseconds: order.overlapSeconds * 1000,
                by: principal
            )
            guard let rotated else { throw Problem.tokenOver }
            note("rotated", rotated, principal)
            return try .json(TokenMade(secret: secret, token: rotated), status: .created)
        }
        table.on(.post, "/v1/tokens/{id}/revoke", .admin) { _, context in
            let (id, principal): (TokenID, Principal) = (try context.identifier(), try context.require([.admin]))
            guard let revoked = try await store().revokeToken(id, by: principal) else { throw Problem.notFound }
            note("revoked", revoked, principal)
            return try .json(revoked)
        }
    }

    private func store() throws(Problem) -> any TokenStore {
        guard let store = tokens.store else { throw .noTokens }
        return store
    }

    private func note(_ what: String, _ token: TokenView, _ principal: Principal) {
        tokens.forget()
        logger.notice(
            "token \(what)",
            metadata: ["token": "\(token.id)", "owner": "\(token.owner)", "by": "\(principal.owner)"]
        )
    }

    private static func token(_ request: Request) throws(Problem) -> TokenID? {
        guard let text = request.uri.queryParameters["token"] else { return nil }
        guard let token = TokenID(text: String(text)) else { throw .parameter("token", text, "the id of a token") }
        return token
    }

    /// The token that somebody orders.
    /// - Throws: status 422 with a sentence.
    private static func drawn(_ order: TokenOrder, _ secret: String) throws(Problem) -> DrawnToken {
        let lengths = 1...TokenOrder.longestName
        guard lengths.contains(order.name.utf8.count), order.name == order.name.visible else {
            throw invalid("A token's name has 1 to \(lengths.upperBound) bytes without control characters.")
        }
        guard lengths.contains(order.owner.utf8.count), order.owner == order.owner.visible,
            !order.owner.contains(where: \.isWhitespace)
        else {
            let owner = order.owner == order.name ? "The owner, by default the token's name," : "The owner"
            throw invalid("\(owner) has 1 to \(lengths.upperBound) bytes without white space.")
        }
        let scopes = order.scopes.compactMap(Scope.init)
        guard !scopes.isEmpty, scopes.count == order.scopes.count else {
            throw invalid("The scopes are some of \(Scope.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        guard (1...longest).contains(order.validSeconds ?? 1) else {
            throw invalid("validSeconds is from 1 to \(longest).")
        }
        return DrawnToken(
            name: order.name,
            owner: order.owner,
            scopes: Set(scopes),
            digest: secret.sha256,
            milliseconds: order.validSeconds.map { $0 * 1000 }
        )
    }

    private static func invalid(_ detail: String) -> Problem { .unprocessable("invalid_request", detail) }
}

extension Problem {
    fileprivate static let noTokens = conflict(
        "not_possible",
        "This farm keeps no tokens: it has those of its start alone."
    )
    fileprivate static let tokenOver = conflict(
        "not_possible",
        "The token is unknown or no longer valid; make another."
    )
}
