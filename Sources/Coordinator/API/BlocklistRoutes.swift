import Farm
import Hummingbird
import Logging
import WireProtocol

/// The blocklist: names of workers that are granted nothing.
struct BlocklistRoutes: RouteGroup {
    let store: any FarmStore
    let logger: Logger

    func add(to table: RouteTable) {
        table.on(.get, "/v1/workers:blocked", .view) { _, _ in
            try .json(try await store.blockedWorkers().map(\.view))
        }
        table.on(.post, "/v1/workers:block", .admin) { request, context in
            let block = try await request.json(WorkerBlock.self, upTo: BodyLimit.small, context)
            guard [block.name, block.reason].allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
                throw Problem.unprocessable("invalid_request", "Say the workers' name and the reason; one is empty.")
            }
            try await store.block(block.name, because: block.reason)
            logger.warning("workers blocked", metadata: ["name": "\(block.name)", "reason": "\(block.reason)"])
            let blocked = try await store.blockedWorkers().first { $0.name == block.name }
            let now = try await store.now()
            return try .json((blocked ?? BlockedWorker(name: block.name, reason: block.reason, since: now)).view)
        }
        table.on(.post, "/v1/workers:unblock", .admin) { request, context in
            let name = try await request.json(WorkerUnblock.self, upTo: BodyLimit.small, context).name
            guard try await store.lift(name) else {
                throw Problem.conflict(
                    "not_possible",
                    "No worker “\(name.visible)” is blocked; cutfarm workers lists those that are."
                )
            }
            logger.info("workers no longer blocked", metadata: ["name": "\(name)"])
            return .noContent
        }
    }
}

extension BlockedWorker {
    /// The entry as clients see it.
    var view: BlockedWorkerView {
        let faulty = machines.isEmpty ? nil : machines
        return BlockedWorkerView(name: name, reason: reason, since: since.date, machines: faulty)
    }
}
