import CompositionModel
import Digests
import Foundation

/// The dashboard's sessions. A session is stored nowhere: the cookie itself says whom it is for and until when, under a
/// signature. Only that somebody signed out is stored (``FarmStore/endSession(_:expires:)``).
///
/// The key is made from the farm's secret and the tokens, so that every coordinator of the farm with the same token
/// file takes the cookie, a restart ends nothing, and changing the tokens ends every session. Whoever reads only the
/// token file, or only the database, cannot sign: it takes both.
struct SessionSigner: Sendable {
    /// The name of the cookie.
    static let cookieName = "cutfarm_session"
    /// The length of a session, in seconds.
    static let lifetimeSeconds: Int64 = 12 * 3600

    private let key: AuthenticationKey

    /// Makes the key of this farm.
    /// - Parameter secret: the farm's secret (``FarmStore/secret()``).
    init(tokens: TokenBook, secret: Data) {
        var material = Data("cutfarm/session/3\n".utf8)
        for entry in tokens.entries { material.append(entry.digest) }
        key = AuthenticationKey(AuthenticationKey(secret).code(for: material))
    }

    private struct Claims: Codable {
        var principal: Principal
        var expires: Int64
        /// Tells two sessions of one principal and one second apart.
        var number: UInt64
    }

    /// A session whose cookie is genuine.
    struct Session: Sendable, Hashable {
        let principal: Principal
        /// The end of the session, in seconds since 1970.
        let expires: Int64
        /// The name under which its early end is stored.
        let name: ContentDigest
    }

    /// The value of a new cookie.
    /// - Parameter now: seconds since 1970.
    /// - Throws: `EncodingError`, which no principal causes.
    func cookie(for principal: Principal, now: Int64) throws -> String {
        let claims = Claims(
            principal: principal,
            expires: now + SessionSigner.lifetimeSeconds,
            number: .random(in: .min ... .max)
        )
        let body = try JSONEncoder().encode(claims).hex
        return body + "." + signature("cookie", body)
    }

    /// The session of a cookie; nil when the cookie is forged, damaged or over.
    /// - Parameter now: seconds since 1970.
    func session(of cookie: String, now: Int64) -> Session? {
        let parts = cookie.split(separator: ".")
        guard parts.count == 2, isEqualSecret(Data(parts[1].utf8), Data(signature("cookie", String(parts[0])).utf8)),
            let body = Data(hexDigits: parts[0]),
            let claims = try? JSONDecoder().decode(Claims.self, from: body), claims.expires > now
        else { return nil }
        return Session(
            principal: claims.principal,
            expires: claims.expires,
            name: ContentDigest(of: Data(cookie.utf8))
        )
    }

    /// The token that requests which change something must name in `X-CSRF-Token` beside the cookie: another site can
    /// make the browser send the cookie, but not read this.
    func antiForgeryToken(for cookie: String) -> String { signature("csrf", cookie) }

    /// A keyed digest of a text, different for each purpose.
    private func signature(_ purpose: String, _ text: String) -> String {
        key.code(for: Data((purpose + "\n" + text).utf8)).hex
    }
}
