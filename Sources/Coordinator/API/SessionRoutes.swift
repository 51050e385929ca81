import Farm
import Foundation
import Hummingbird
import Logging
import Storage
import WireProtocol

/// The body of `POST /v1/session`.
private struct SessionRequest: Decodable {
    var token: String
}

/// The facts that the dashboard needs about its session.
private struct SessionView: Encodable {
    var owner: String
    var scopes: [Scope]
    /// The token to send as `X-CSRF-Token` with everything that changes something.
    var csrf: String
}

/// The sessions of the dashboard.
struct SessionRoutes: RouteGroup {
    let tokens: KnownTokens
    let sessions: SessionSigner
    let store: any FarmStore
    /// The links that sign in once; nil for none.
    let links: SignInLinks?
    /// Whether cookies are marked `Secure`.
    let isTLS: Bool
    /// The time of day.
    let now: @Sendable () -> Date

    /// The dashboard exchanges a token for a cookie that scripts cannot read.
    func add(to table: RouteTable) {
        table.on(.post, "/v1/session") { request, context in
            let body = try await request.json(SessionRequest.self, upTo: BodyLimit.small, context)
            let principal = try await tokens.principal(presenting: body.token, from: context)
            let cookie = try sessions.cookie(for: principal, now: Int64(now().timeIntervalSince1970))
            var response = try Response.json(view(principal, cookie), status: .created)
            response.setCookie(sessionCookie(cookie, lifetime: Int(SessionSigner.lifetimeSeconds)))
            return response
        }
        table.on(.get, "/signin/{code}") { request, context in
            guard let principal = links?.use(context.parameters.get("code") ?? "") else {
                // People read it on the dashboard, beside the form for a token.
                guard request.headers[.accept]?.contains("text/html") == true else { throw Problem.usedLink }
                return Response(status: .seeOther, headers: [.location: "/#link-used"])
            }
            let cookie = try sessions.cookie(for: principal, now: Int64(now().timeIntervalSince1970))
            var response = Response(status: .seeOther, headers: [.location: "/"])
            response.setCookie(sessionCookie(cookie, lifetime: Int(SessionSigner.lifetimeSeconds)))
            return response
        }
        table.on(.get, "/v1/session") { request, context in
            guard context.isCookieSession, let principal = context.principal,
                let cookie = request.cookies[SessionSigner.cookieName]?.value
            else { throw Problem.unauthorized }
            return try .json(view(principal, cookie))
        }
        table.on(.delete, "/v1/session") { _, context in
            guard let session = context.session else { throw Problem.unauthorized }
            let expires = FarmTime(milliseconds: session.expires * 1000)
            try await store.endSession(session.name, expires: expires)
            var response = Response.noContent
            response.setCookie(sessionCookie("", lifetime: 0))
            return response
        }
    }

    private func view(_ principal: Principal, _ cookie: String) -> SessionView {
        SessionView(
            owner: principal.owner,
            scopes: principal.scopes.sorted { $0.rawValue < $1.rawValue },
            csrf: sessions.antiForgeryToken(for: cookie)
        )
    }

    /// The cookie, which scripts cannot read. A lifetime of 0 seconds removes it.
    private func sessionCookie(_ value: String, lifetime: Int) -> Cookie {
        Cookie(
            name: SessionSigner.cookieName,
            value: value,
            maxAge: lifetime,
            path: "/",
            secure: isTLS,
            httpOnly: true,
            sameSite: .strict
        )
    }
}
