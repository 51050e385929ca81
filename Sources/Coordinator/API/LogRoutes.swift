import Farm
import Hummingbird
import WireProtocol

/// The last lines that render processes and their workers said about attempts.
struct LogRoutes: RouteGroup {
    let store: any FarmStore

    /// The most lines of one request; a worker that has more sends the last.
    static let mostLines = 1000

    func add(to table: RouteTable) {
        table.on(.get, "/v1/attempts/{id}/log", .view) { request, context in
            let attempt: AttemptID = try context.identifier()
            let after = request.uri.queryParameters["after"].map { Int($0) } ?? 0
            guard let after, after >= 0 else {
                throw Problem.unprocessable("invalid_request", "`after` is the `next` of an answer before.")
            }
            guard let log = try await store.log(of: attempt) else { throw Problem.notFound }
            return try .json(log.after(after))
        }
        table.on(.post, "/v1/attempts/{id}/log", .worker) { request, context in
            let attempt: AttemptID = try context.identifier()
            let said = try await request.json(LogLines.self, upTo: BodyLimit.small, context)
            guard said.lines.count <= Self.mostLines else {
                throw Problem.unprocessable(
                    "invalid_request",
                    "A request has at most \(Self.mostLines) lines of a log."
                )
            }
            guard try await store.appendLog(said.lines, to: attempt) else { throw Problem.notFound }
            return .noContent
        }
    }
}
