import HTTPTypes
import Hummingbird
import WireProtocol

/// The routes with the scopes they need. Beside them, every other method of a known address is answered with 405.
final class RouteTable {
    typealias Handler = @Sendable (Request, FarmRequestContext) async throws -> Response

    let router: Router<FarmRequestContext>
    private var methods: [String: [HTTPRequest.Method]] = [:]

    init(middlewares: [any MiddlewareProtocol<Request, Response, FarmRequestContext>]) {
        router = Router(context: FarmRequestContext.self)
        for middleware in middlewares { router.add(middleware: middleware) }
    }

    /// - Parameter scopes: any of them will do; empty: nobody needs to sign in.
    func on(_ method: HTTPRequest.Method, _ path: String, _ scopes: Scope..., handler: @escaping Handler) {
        methods[path, default: []].append(method)
        router.on(RouterPath(path), method: method) { request, context in
            if !scopes.isEmpty { try context.require(scopes) }
            return try await handler(request, context)
        }
    }

    func refuseOtherMethods() {
        for (path, known) in methods {
            let allowed = known.map(\.rawValue).sorted()
            for method in [.get, .head, .post, .put, .delete, .patch] as [HTTPRequest.Method]
            where !known.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    var response = Problem.methodNotAllowed(allowed).response()
                    response.headers[.allow] = allowed.joined(separator: ", ")
                    return response
                }
            }
        }
    }
}
