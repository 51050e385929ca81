import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Synchronization
import TestSupport
import WireProtocol

/// One of several clients that ask the stores of one database at once, each operation and each argument drawn from a
/// seed. It checks every answer against what was certain before the operation began (``RandomClients``).
struct RandomClient: Sendable {
    let stores: [any ClockedFarmStore]
    let clients: RandomClients
    private var generator: SeededGenerator

    init(_ stores: [any ClockedFarmStore], _ clients: RandomClients, seed: UInt64) {
        (self.stores, self.clients, generator) = (stores, clients, SeededGenerator(seed: seed))
    }

    private var store: any ClockedFarmStore {
        mutating get { stores[chance(stores.count)] }
    }

    private mutating func chance(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    /// Carries out one operation.
    /// - Throws: ``FarmStoreError/unavailable(_:)``, which no operation may come to.
    mutating func step() async throws {
        do {
            switch chance(100) {
            case 0..<24: try await acquire()
            case 24..<46: try await complete()
            case 46..<54: try await fail()
            case 54..<66: try await renew()
            case 66..<71: try await release()
            case 71..<79: _ = try await store.sweep()
            case 79..<86: try await advance()
            case 86..<90: _ = try await insert()
            case 90..<94: try await administer()
            default: try await look()
            }
        } catch FarmStoreError.unknownWorker, FarmStoreError.unknownJob {
            clients.count("refused")
        }
    }

    /// Moves the clock of all stores.
    private mutating func advance() async throws {
        let now = clients.advance(by: Int64(chance(10) == 0 ? 3500 : chance(900)))
        for store in stores { try await store.setClock(now) }
    }
}

// Leases
extension RandomClient {
    private mutating func poll() -> LeasePoll? {
        if chance(6) == 0 { return clients.known.polls.randomElement(using: &generator) }
        guard let worker = clients.known.workers.randomElement(using: &generator) else { return nil }
        let kinds: [TaskKind] = chance(4) == 0 ? [.picture] : TaskKind.allCases
        return LeasePoll(
            worker: worker,
            poll: PollID(milliseconds: 0, using: &generator),
            kinds: kinds,
            capacity: 1 + chance(3),
            waitMilliseconds: 0
        )
    }

    /// Sometimes the same poll goes to two coordinators at once, as after an answer that was lost.
    private mutating func acquire() async throws {
        guard let poll = poll() else { return }
        let (first, second) = (store, store)
        if chance(3) > 0 { return try await acquire(poll, first, isTwin: false) }
        let client = self
        async let twin: Void = client.acquire(poll, second, isTwin: true)
        try await acquire(poll, first, isTwin: true)
        try await twin
    }

    private func acquire(_ poll: LeasePoll, _ store: any ClockedFarmStore, isTwin: Bool) async throws {
        let before = clients.known
        let began = clients.tick()
        let outcomes = try await store.acquireLeases([poll])
        guard case .granted(let grants) = outcomes[0] else { return clients.count("unknown") }
        if !isTwin { clients.checkRetired(grants, to: poll, before: before) }
        clients.granted(grants, to: poll, before: before, began: began)
    }

    private mutating func anyHeld() -> RandomClients.Held? {
        let held = clients.known.held
        return chance(4) == 0 ? held.randomElement(using: &generator) : held.suffix(12).randomElement(using: &generator)
    }

    private mutating func complete() async throws {
        guard let held = anyHeld() else { return }
        let before = clients.known
        let isOthers = chance(20) == 0
        let worker = isOthers ? WorkerID(milliseconds: 0, using: &generator) : held.worker
        let completion = TaskCompletion(
            worker: worker,
            artifact: RandomClients.artifact(of: held.attempt),
            byteCount: 1,
            unitCount: 1,
            statistics: TaskStatistics()
        )
        let outcome = try await store.complete(held.attempt, completion)
        clients.completed(held, outcome, before: before, isOthers: isOthers)
    }

    private mutating func fail() async throws {
        guard let held = anyHeld() else { return }
        let before = clients.known
        let code = chance(2) == 0 ? FarmFailure.renderCrashed : "source_unreadable"
        let failure = Failure(code: code, message: "It did not work.", isPermanent: chance(40) == 0)
        let outcome = try await store.fail(held.attempt, TaskFailure(worker: held.worker, failure: failure))
        clients.failed(held, outcome, before: before)
    }

    /// Names attempts of others too, and attempts that are over.
    private mutating func renew() async throws {
        guard let worker = anyHeld()?.worker else { return }
        let before = clients.known
        let named = before.held.filter { $0.worker == worker || chance(8) == 0 }.suffix(12)
        let progress = named.map { AttemptProgress(attempt: $0.attempt, permille: chance(1200) - 100) }
        let reply = try await store.renew(worker, progress)
        clients.renewed(Array(named), by: worker, reply, before: before)
    }

    private mutating func release() async throws {
        guard let worker = anyHeld()?.worker else { return }
        let named = clients.known.held.filter { $0.worker == worker }.suffix(3)
        try await store.release(worker, LeaseRelease(attempts: named.map(\.attempt), leaving: false))
        clients.end(named.map(\.attempt))
    }
}

// Everything else
extension RandomClient {
    mutating func insert() async throws {
        let repeated = chance(5) == 0 ? clients.known.jobs.keys.sorted().randomElement(using: &generator) : nil
        let key = repeated ?? "job \(clients.tick())"
        var shape = SeededGenerator(seed: key.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        let job = SampleJob.job(
            key: key,
            segments: Int.random(in: 2...6, using: &shape),
            hasSound: Bool.random(using: &shape),
            rounds: Int.random(in: 0...1, using: &shape),
            cost: 3000
        )
        clients.inserted(try await store.insertJob(job), key: key)
    }

    mutating func register() async throws {
        clients.registered(try await store.register("worker \(clients.tick())"))
    }

    private mutating func administer() async throws {
        let known = clients.known
        switch chance(8) {
        case 0:
            guard let job = known.jobs.values.sorted().randomElement(using: &generator) else { return }
            let outcome = try await store.cancel(job)
            clients.cancelled(job, outcome, before: known)
        case 1: try await leave(drained: true)
        case 2: try await leave(drained: false)
        case 3: try await forget()
        case 4: try await store.putAsset(StoredAsset(record: asset()))
        default: try await register()
        }
    }

    /// Workers are heard of first, so that none is forgotten while it polls.
    private mutating func forget() async throws {
        for worker in clients.known.workers { _ = try? await store.renew(worker, []) }
        clients.forgot(try await store.forget(finishedBefore: clients.forgetAge, limit: 2))
    }

    private mutating func leave(drained: Bool) async throws {
        guard let worker = clients.known.workers.randomElement(using: &generator) else { return }
        if drained {
            try await store.drain(worker)
        } else {
            let held = clients.known.held.filter { $0.worker == worker }.map(\.attempt)
            try await store.release(worker, LeaseRelease(attempts: [], leaving: true))
            clients.end(held)
        }
        clients.retired(worker)
        try await register()
    }

    private mutating func asset() -> AssetRecord {
        let digest = ContentDigest(of: Data("asset \(chance(3))".utf8))
        return AssetRecord(digest: digest, byteCount: 3, blocks: [digest], facts: nil, frameIndexes: [0: digest])
    }

    private mutating func look() async throws {
        let known = clients.known
        guard let job = known.jobs.values.sorted().randomElement(using: &generator), let held = anyHeld() else {
            return
        }
        switch chance(10) {
        case 0: clients.checkCounts(try await store.job(job))
        case 1: clients.checkTasks(try await store.tasks(of: job))
        case 2: for job in try await store.jobs(JobFilter()) { clients.checkCounts(job) }
        case 3: clients.checkEvents(try await store.events(after: Int64(chance(100)), job: nil, limit: 40))
        case 4: _ = try await store.workers()
        case 5:
            let slice = try await store.slice(of: .plan, of: job, 0..<4)
            clients.require(slice?.bytes.count == 4, "the plan of \(job) is gone")
        case 6:
            let readings = try await store.readings(of: held.attempt)
            clients.require(readings == nil || !known.ended.contains(held.attempt), "\(held) is over and reads")
        case 7: clients.checkArtifact(try await store.acceptedArtifact(of: held.attempt), of: held, before: known)
        case 8: clients.learned(secret: try await store.secret())
        default:
            let digest = asset().digest
            let stored = try await store.asset(digest)
            let isFree = try await store.unreferenced([digest]) == [digest]
            clients.require(stored == nil || !isFree, "an asset is stored and unreferenced")
            _ = try await (store.task(of: held.attempt), store.lastEvent(), store.now())
        }
    }
}
