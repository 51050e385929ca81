import HTTPTypes
import Hummingbird
import WireProtocol

/// The routes with the scopes they need. Beside them, every other method of a known address is answered with 405.
final class RouteTable {
    typealias Handler = @Sendable (Request, FarmRequestContext) async throws -> Response

    let router: Router<FarmRequestContext>
    /// The methods of each address, by its pattern.
    private(set) var methods: [String: [HTTPRequest.Method]] = [:]

    /// Makes an empty table.
    /// - Parameter middlewares: the outermost first.
    init(middlewares: [any MiddlewareProtocol<Request, Response, FarmRequestContext>]) {
        router = Router(context: FarmRequestContext.self)
        for middleware in middlewares { router.add(middleware: middleware) }
    }

    /// Adds a route.
    /// - Parameter scopes: any of these scopes will do; none means that nobody needs to sign in.
    func on(_ method: HTTPRequest.Method, _ path: String, _ scopes: Scope..., handler: @escaping Handler) {
        on(method, path, anyOf: scopes, handler: handler)
    }

    /// Adds a route whose scopes are decided at the start.
    func on(_ method: HTTPRequest.Method, _ path: String, anyOf scopes: [Scope], handler: @escaping Handler) {
        methods[path, default: []].append(method)
        router.on(RouterPath(path), method: method) { request, context in
            if !scopes.isEmpty { try context.require(scopes) }
            return try await handler(request, context)
        }
    }

    /// Answers every other method of the addresses that were added with 405. It is called once, after the last route.
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
