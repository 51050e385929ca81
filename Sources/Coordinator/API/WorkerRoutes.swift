import Farm
import Hummingbird
import Logging
import Storage
import WireProtocol

/// Workers: registration, heartbeats, release and drain.
struct WorkerRoutes: RouteGroup {
    let store: any FarmStore
    let versions: RendererVersions
    /// Whether workers are asked to probe what clients sent to the farm's bucket.
    let probes: Bool
    let calls: WorkerCalls
    let machines = MachineReadings()
    let names: WorkerNames
    let metrics: FarmMetrics
    let logger: Logger

    func add(to table: RouteTable) {
        // Counting a worker's attempts costs as much as there are, and every open page asks.
        let workers = SharedQuestion { [store, machines] in
            try await WireJSON.encode(machines.adding(to: store.workers()))
        }
        table.on(.get, "/v1/workers", .view) { _, _ in try await .encoded(workers.answer()) }
        table.on(.post, "/v1/workers", .worker) { request, context in
            let registration = try await request.json(WorkerRegistration.self, upTo: BodyLimit.small, context)
            guard !registration.kinds.contains(.stitch) else { throw Problem.stitchIsOurs }
            guard (1...Int(Int32.max)).contains(registration.slots) else {
                throw Problem.unprocessable("invalid_request", "A worker has 1 to \(Int32.max) slots.")
            }
            guard (registration.tags ?? []).allSatisfy(WorkerRequirement.isName), registration.tags?.count ?? 0 <= 100
            else {
                throw Problem.unprocessable(
                    "invalid_request",
                    "A worker has up to 100 tags of 1 to 64 letters, digits, -, _ and . each."
                )
            }
            try await WorkerAdmission(store: store, versions: versions).check(registration)
            var registered = try await store.registerWorker(registration)
            if probes { registered.probes = true }
            names.note(registration.name, of: registered.worker)
            metrics.joined(registration.name)
            logger.info(
                "worker registered",
                metadata: ["worker": "\(registered.worker)", "name": "\(registration.name)"]
            )
            return try .json(registered, status: .created)
        }
        table.on(.post, "/v1/workers/{id}/heartbeat", .worker) { request, context in
            let worker: WorkerID = try context.identifier()
            let beat = try await request.json(Heartbeat.self, upTo: BodyLimit.json, context)
            guard let reply = try await calls.renew(worker, beat.attempts) else {
                throw Problem.unavailable(
                    "store_busy",
                    "A lease of this worker is being changed; ask again in a moment."
                )
            }
            if let machine = beat.machine { machines.note(machine, of: worker) }
            return try .json(reply)
        }
        table.on(.post, "/v1/workers/{id}/release", .worker) { request, context in
            let worker: WorkerID = try context.identifier()
            try await store.release(worker, try await request.json(LeaseRelease.self, upTo: BodyLimit.json, context))
            return .noContent
        }
        table.on(.post, "/v1/workers/{id}/drain", .admin) { _, context in
            let worker: WorkerID = try context.identifier()
            try await store.drain(worker)
            logger.info("worker draining", metadata: ["worker": "\(worker)"])
            return .noContent
        }
        table.on(.post, "/v1/workers/{id}/undrain", .admin) { _, context in
            let worker: WorkerID = try context.identifier()
            guard try await store.undrain(worker) else { throw Problem.silentWorker }
            logger.info("worker no longer draining", metadata: ["worker": "\(worker)"])
            return .noContent
        }
    }
}

extension Problem {
    fileprivate static let silentWorker = conflict(
        "not_possible",
        "The worker does not answer and takes no work, drained or not. Undrain it once it answers again; if it is "
            + "restarted, it registers anew and is not drained."
    )
}
