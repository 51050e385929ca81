import Hummingbird
import WireProtocol

/// The routes with the scopes they need. Beside them, every other method of a known address is answered with 405.
final class RouteTable {
    typealias Handler = @Sendable (Request, FarmRequestContext) async throws -> Response

    /// One route as it was added.
    struct Route {
        let method: HTTPRequest.Method
        /// The pattern of its address, such as `/v1/jobs/{id}`.
        let path: String
        /// The scopes of which any will do; empty when nobody needs to sign in.
        let scopes: [Scope]
        /// The names of the query's parameters that the route reads.
        let query: [String]
    }

    let router: Router<FarmRequestContext>
    /// All routes, in the order in which they were added.
    private(set) var routes: [Route] = []

    /// Makes an empty table.
    /// - Parameter middlewares: the outermost first.
    init(middlewares: [any MiddlewareProtocol<Request, Response, FarmRequestContext>]) {
        router = Router(context: FarmRequestContext.self)
        for middleware in middlewares { router.add(middleware: middleware) }
    }

    /// Adds a route.
    /// - Parameters:
    ///   - scopes: any of these scopes will do; none means that nobody needs to sign in.
    ///   - query: the names of the query's parameters that it reads; the handler sees no others.
    func on(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ scopes: Scope...,
        query: [String] = [],
        handler: @escaping Handler
    ) {
        on(method, path, anyOf: scopes, query: query, handler: handler)
    }

    /// Adds a route whose scopes are decided at the start.
    func on(
        _ method: HTTPRequest.Method,
        _ path: String,
        anyOf scopes: [Scope],
        query: [String] = [],
        handler: @escaping Handler
    ) {
        routes.append(Route(method: method, path: path, scopes: scopes, query: query))
        router.on(RouterPath(path), method: method) { request, context in
            if !scopes.isEmpty { try context.require(scopes) }
            return try await handler(request.withQuery(of: query), context)
        }
    }

    /// Answers every other method of the addresses that were added with 405. It is called once, after the last route.
    func refuseOtherMethods() {
        for (path, routes) in Dictionary(grouping: routes, by: \.path) {
            let known = routes.map(\.method)
            let allowed = known.map(\.rawValue).sorted()
            for method in [.get, .head, .post, .put, .delete, .patch, .options, .trace] as [HTTPRequest.Method]
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
