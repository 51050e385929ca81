import Farm
import Hummingbird
import WireProtocol

/// The last lines that render processes and their workers said about attempts.
struct LogRoutes: RouteGroup {
    let store: any FarmStore
    let pace: LogPace

    /// The most lines of one request; a worker that has more sends the last.
    static let mostLines = 1000

    func add(to table: RouteTable) {
        table.on(.get, "/v1/attempts/{id}/log", .view, query: ["after"]) { request, context in
            let attempt: AttemptID = try context.identifier()
            let after = request.uri.queryParameters["after"].map { Int($0) } ?? 0
            guard let after, after >= 0 else {
                let sent = request.uri.queryParameters["after"] ?? ""
                throw Problem.parameter("after", sent, "the “next” of an answer before, a whole number from 0 on")
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
                    "The body has \(said.lines.count) lines; a request has at most \(Self.mostLines)."
                )
            }
            guard pace.allows(attempt, by: said.worker) else { throw Problem.tooManyLines }
            guard try await store.appendLog(said.lines, to: attempt, by: said.worker) else { throw Problem.leaseLost }
            return .noContent
        }
    }
}

extension Problem {
    fileprivate static let tooManyLines = Problem(
        status: 429,
        code: "too_many_lines",
        title: "Too many at a time",
        detail: "At most \(LogPace.most) requests in 10 s may add lines to one attempt's log; send more lines in each."
    )
}
