import Farm
import Hummingbird
import Logging
import WireProtocol

/// Removing finished movies and unused assets by command.
struct RetentionRoutes: RouteGroup {
    /// Nil for a farm without a database.
    let retention: Retention?
    let logger: Logger

    func add(to table: RouteTable) {
        table.on(.post, "/v1/retention:apply", .admin) { request, context in
            let order = try await request.json(RetentionOrder.self, upTo: BodyLimit.small, context)
            guard let retention else {
                throw Problem.conflict(
                    "not_possible",
                    "This farm keeps what it makes until it ends; it has no database."
                )
            }
            let kept = [order.movies, order.assets].compactMap(\.self)
            let ages = 0...36_525 * 86_400 as ClosedRange<Int64>
            guard kept.contains(where: { !$0.isAll }),
                kept.allSatisfy({ ages.contains($0.seconds ?? 0) && $0.bytes ?? 0 >= 0 })
            else {
                throw Problem.unprocessable(
                    "invalid_request",
                    "Say what is kept of movies or assets: seconds (up to a hundred years) or bytes, from 0 on."
                )
            }
            let report = try await retention.apply(order)
            if !order.isDryRun {
                logger.notice(
                    "retention applied",
                    metadata: [
                        "movies": "\(report.movies.count)", "assets": "\(report.assets.count)",
                        "bytes": "\(report.byteCount)", "by": "\(context.principal?.owner ?? "")",
                    ]
                )
            }
            return try .json(report)
        }
    }
}
