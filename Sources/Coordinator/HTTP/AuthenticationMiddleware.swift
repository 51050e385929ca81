import Digests
import Farm
import Foundation
import HTTPTypes
import Hummingbird
import WireProtocol

/// Identifies the principal of a request by bearer token or by the dashboard's cookie. Each route decides whether that
/// suffices.
struct AuthenticationMiddleware: RouterMiddleware {
    let tokens: KnownTokens
    let sessions: SessionSigner
    let store: any FarmStore
    /// The time of day.
    let now: @Sendable () -> Date

    func handle(
        _ request: Request,
        context: FarmRequestContext,
        next: @concurrent (Request, FarmRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let header = request.headers[.authorization] {
            context.principal = try await principal(header, from: context)
        } else if let cookie = request.cookies[SessionSigner.cookieName]?.value {
            context.session = try await session(cookie)
            context.principal = context.session?.principal
            if context.isCookieSession { try checkForgery(request, cookie) }
        }
        return try await next(request, context)
    }

    /// The session of a cookie; nil when the cookie is worth nothing, somebody signed out with it, or the token is over
    /// with which it began.
    private func session(_ cookie: String) async throws -> SessionSigner.Session? {
        guard let session = sessions.session(of: cookie, now: Int64(now().timeIntervalSince1970)) else { return nil }
        guard try await tokens.isValid(session.principal) else { return nil }
        return try await store.hasEnded(session.name) ? nil : session
    }

    private func principal(_ header: String, from context: FarmRequestContext) async throws -> Principal {
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw Problem.unauthorized }
        return try await tokens.principal(presenting: String(words[1]), from: context)
    }

    private func checkForgery(_ request: Request, _ cookie: String) throws(Problem) {
        guard ![.get, .head].contains(request.method) else { return }
        let said = Data((request.headers[.antiForgeryToken] ?? "").utf8)
        guard isEqualSecret(said, Data(sessions.antiForgeryToken(for: cookie).utf8)) else { throw .forgery }
        guard let origin = request.headers[.origin] else { return }
        let host = request.head.authority ?? ""
        guard origin == "http://\(host)" || origin == "https://\(host)" else { throw .forgery }
    }
}
