import CompositionModel
import Hummingbird
import Logging
import NIOCore
import WireProtocol

/// What is known of a request while it is answered.
struct FarmRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The bytes of the body that were read.
    let received = BodyCount()
    /// The principal of the token or the session; nil when none came with the request.
    var principal: Principal?
    /// The session whose cookie came with the request; nil when none did.
    var session: SessionSigner.Session?

    /// Whether the request came by the dashboard's cookie, which browsers send also when another site makes them.
    var isCookieSession: Bool { session != nil }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Whether the connection comes from this host: from a client here, or from a reverse proxy for a client anywhere
    /// (``Hummingbird/Request/isForwarded``). Nothing may be granted for this alone.
    var isLoopback: Bool {
        guard let address = channel.remoteAddress?.ipAddress else { return false }
        return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }

    /// Requires one of `scopes`.
    /// - Throws: status 401 without a principal, 403 without any of `scopes`.
    @discardableResult
    func require(_ scopes: [Scope]) throws(Problem) -> Principal {
        guard let principal else { throw .unauthorized }
        guard scopes.contains(where: principal.may) else { throw .forbidden(scopes) }
        return principal
    }

    /// The identifier in the path under `name`.
    /// - Throws: status 404 when it is none.
    func identifier<ID: TypedIdentifier>(_ type: ID.Type = ID.self, _ name: String = "id") throws(Problem) -> ID {
        guard let id = ID(text: parameters.get(name) ?? "") else { throw .notFound }
        return id
    }

    /// The digest in the path.
    /// - Throws: status 404 when it is none.
    func digest() throws(Problem) -> ContentDigest {
        let text = parameters.get("sha256") ?? ""
        guard let digest = ContentDigest(hex: text) ?? ContentDigest(text: text) else { throw .notFound }
        return digest
    }
}
