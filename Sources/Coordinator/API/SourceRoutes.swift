import CompositionModel
import Farm
import Hummingbird
import Logging
import Storage
import WireProtocol

/// Files elsewhere that the coordinator fetches as assets: asking for them, and how far they are.
struct SourceRoutes: RouteGroup {
    let store: any FarmStore
    /// What is fetched; nil for nothing.
    let settings: SourceSettings?
    let logger: Logger

    func add(to table: RouteTable) {
        table.on(.post, "/v1/sources", .submit) { request, context in
            let order = try await request.json(SourceOrder.self, upTo: BodyLimit.small, context)
            let address = try SourceAddress(order.address)
            guard let settings else {
                throw Problem.unprocessable(
                    "source_not_allowed",
                    "This coordinator fetches nothing from elsewhere: it was started without --source-allow."
                )
            }
            try settings.check(address)
            guard (order.entityTag ?? "").utf8.count <= 1000, (order.version ?? "").utf8.count <= 1000 else {
                throw Problem.unprocessable("invalid_request", "An entity tag or a version has at most 1000 bytes.")
            }
            let owner = try context.require([.submit]).owner
            let source = try await store.askForSource(order, owner: owner)
            logger.info("source asked for", metadata: ["source": "\(source.id)", "owner": "\(owner)"])
            return try .json(source.view, status: .accepted)
        }
        table.on(.get, "/v1/sources/{sha256}", .submit) { _, context in
            let owner = try context.require([.submit]).owner
            guard let source = try await store.source(context.digest()), source.owner == owner else {
                throw Problem.notFound
            }
            return try .json(source.view)
        }
    }
}
