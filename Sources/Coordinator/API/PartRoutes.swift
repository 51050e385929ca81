import CompositionModel
import Farm
import Hummingbird
import Logging
import Storage
import WireProtocol

/// The parts that are kept for later jobs: listing, removing and withdrawing them.
struct PartRoutes: RouteGroup {
    let store: any FarmStore
    let collection: ArtifactCollection
    let logger: Logger

    func add(to table: RouteTable) {
        table.on(.get, "/v1/parts", .view, query: ["limit"]) { request, _ in
            let limit = try request.number("limit", in: 0...1000) ?? 100
            let totals = try await store.partTotals()
            return try .json(PartList(totals: totals.view, parts: try await store.parts(limit: limit).map(\.view)))
        }
        table.on(.post, "/v1/parts:prune", .admin) { request, context in
            let order = try await request.json(PartPruning.self, upTo: BodyLimit.small, context)
            guard let selection = PartSelection(order) else {
                throw Problem.unprocessable(
                    "invalid_request",
                    "Say which parts to remove: keepBytes, unusedSeconds, or worker, one of them and not below 0."
                )
            }
            guard let removed = try await collection.removeParts(selection) else {
                throw Problem.unavailable("store_busy", "Parts are being read; ask again in a moment.")
            }
            logger.info("parts removed", metadata: ["parts": "\(removed.count)"])
            return try .json(PartRemoval(parts: removed.map(\.view), tasks: []))
        }
        table.on(.post, "/v1/parts:withdraw", .admin) { request, context in
            let order = try await request.json(PartWithdrawal.self, upTo: BodyLimit.small, context)
            return try .json(try await withdraw(order))
        }
    }

    /// Takes back everything that workers of one name made, and what was made by what they measured: unfinished jobs render
    /// it again.
    private func withdraw(_ order: PartWithdrawal) async throws -> PartRemoval {
        let parts = try await store.parts(limit: .max).filter { $0.workerName == order.worker }
        let artifacts = try await store.artifacts(madeBy: order.worker)
        guard !artifacts.isEmpty else { return PartRemoval(parts: [], tasks: []) }
        let failure = Failure(
            code: FarmFailure.partWithdrawn,
            message: "Somebody withdrew what “\(order.worker)” made; it is rendered again.",
            isPermanent: false
        )
        let tasks = try await store.reject(artifacts, because: failure)
        logger.info("parts withdrawn", metadata: ["worker": "\(order.worker)", "parts": "\(parts.count)"])
        return PartRemoval(parts: parts.map(\.view), tasks: tasks)
    }
}

extension PartSelection {
    /// What a client asks to remove; nil when it is not exactly one thing.
    init?(_ order: PartPruning) {
        switch (order.keepBytes, order.unusedSeconds, order.worker) {
        case (let bytes?, nil, nil) where bytes >= 0: self = bytes == 0 ? .all : .beyond(bytes: bytes)
        case (nil, let seconds?, nil) where (0...Int64(Int32.max)).contains(seconds):
            self = .unused(milliseconds: seconds * 1000)
        case (nil, nil, let worker?): self = .madeBy(worker)
        default: return nil
        }
    }
}

extension PartTotals {
    /// The totals as clients see them.
    var view: PartList.Totals {
        PartList.Totals(count: count, byteCount: byteCount, uses: uses, savedMilliseconds: savedMilliseconds)
    }
}

extension PartRecord {
    /// The part as clients see it.
    var view: PartView {
        PartView(
            key: key,
            kind: kind,
            artifact: artifact,
            byteCount: byteCount,
            unitCount: unitCount,
            cpuMilliseconds: statistics.cpuMilliseconds,
            worker: workerName,
            made: made.date,
            used: used.date,
            uses: uses
        )
    }
}
