import CompositionModel
import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import Synchronization
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// What becomes of a faulty worker's work when coordinators die, or act at once.
@Suite struct StoreFaultyTests {
    private func register(_ store: PostgresFarmStore, _ name: String, on machine: String?) async throws -> WorkerID {
        let registration = WorkerRegistration(
            name: name,
            kinds: TaskKind.allCases,
            slots: 1,
            rendererVersion: FarmPieces.registration.rendererVersion,
            libraries: FarmPieces.registration.libraries,
            machine: machine
        )
        return try await store.registerWorker(registration).worker
    }

    private func convict(_ name: String, on machine: String? = nil, in store: PostgresFarmStore) async throws {
        try await store.transact { connection, now in
            let machines = machine.map { [$0] } ?? []
            _ = try connection.batch([BlockedWorker.conviction(name, machines, "Its bytes differ.", at: now)])
        }
    }

    /// A job of one segment, whose part other jobs of it take.
    private func job(_ store: PostgresFarmStore) async throws -> JobID {
        try await store.insertJob(FarmPieces.job(parts: 1, keys: ["segment"])).job.id
    }

    /// A faulty machine's other workers get nothing and lose what they made, whatever they are called.
    @Test func anotherNameIsNoOtherMachine() async throws {
        let store = try await StoreDatabase.store()
        _ = try await store.insertJob(FarmPieces.job(parts: 3))
        let (first, second) = (try await register(store, "a", on: "m"), try await register(store, "b", on: "m"))
        let sound = try await register(store, "c", on: "n")
        let grant = try #require(try await store.acquire(second).first)
        #expect(try await store.complete(grant, by: second) == .accepted)
        try await convict("a", on: "m", in: store)
        for worker in [first, second] { #expect(try await store.acquire(worker).isEmpty) }
        #expect(try await store.withdrawFaulty().map(\.tasks) == [[grant.task]])
        let listed = try await store.workers().filter { $0.blocked != nil }.map(\.name)
        #expect(listed.sorted() == ["a", "b"])
        // A rejected part is rendered again after a pause.
        store.setClock(try await store.now().adding(milliseconds: 600_000))
        let others = try await store.acquire(sound, capacity: 9)
        #expect(others.contains { $0.task == grant.task && $0.attempt != grant.attempt })
        #expect(try await store.lift("a"))
        #expect(try await store.blockedWorkers().isEmpty)
    }

    @Test func aFaultyMachineRegistersUnderNoOtherName() async throws {
        let store = try await StoreDatabase.store()
        try await convict("a", on: "m", in: store)
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            var registration = FarmPieces.registration
            (registration.name, registration.machine) = ("b", "m")
            let refused = try await farm.post("/v1/workers", registration)
            #expect(refused.status == 403 && refused.code == "worker_blocked")
            #expect(refused.text.contains("all others on the machine “m”") && refused.text.contains("unblock a"))
            registration.machine = "n"
            #expect(try await farm.post("/v1/workers", registration).status == 201)
            let listed = try await farm.call("GET", "/v1/workers:blocked", as: "viewer")
            #expect(try listed.decode([BlockedWorkerView].self).map(\.machines) == [["m"]])
            #expect(try await farm.post("/v1/workers:unblock", WorkerUnblock(name: "a"), as: "admin").status == 204)
            registration.machine = "m"
            #expect(try await farm.post("/v1/workers", registration).status == 201)
        }
    }

    /// Whoever dies after the parts are forgotten leaves the list of what the faulty worker made.
    @Test func aCrashBetweenTheStepsLosesNothing() async throws {
        let store = try await StoreDatabase.store()
        let old = try await job(store)
        let worker = try await register(store, "a", on: "m")
        let grant = try #require(try await store.acquire(worker, kinds: [.picture]).first { $0.job == old })
        #expect(try await store.complete(grant, by: worker) == .accepted)
        let young = try await job(store)
        let offers = try await store.offers(limit: 9)
        #expect(try await store.take(offers).count == 1)
        // What the old job's attempts said is no longer kept.
        _ = try await store.cancel(old)
        try await store.transact { connection, _ in
            try connection.execute("DELETE FROM attempt_log; DELETE FROM lease; DELETE FROM attempt")
        }
        try await convict("a", on: "m", in: store)
        let entry = try #require(try await store.blockedWorkers().first)
        try await store.disown(entry)
        try await store.forgetParts(try await store.artifactsToWithdraw(of: entry))
        // Here the coordinator died. The next one begins anew.
        let withdrawn = try await store.withdrawFaulty()
        #expect(withdrawn.flatMap(\.tasks).count == 1)
        #expect(try await store.tasks(of: young, from: 0, limit: 9).first?.state == .queued)
        #expect(try await store.blockedWorkers().map(\.isFaulty) == [false])
        let kept = try await store.artifactsToWithdraw(of: entry)
        #expect(kept.isEmpty, "what was withdrawn is forgotten")
    }

    @Test func aFaultyWorkerIsNotLiftedBeforeItsPartsAreWithdrawn() async throws {
        let store = try await StoreDatabase.store()
        _ = try await store.insertJob(FarmPieces.job(parts: 1))
        let worker = try await register(store, "a", on: nil)
        let grant = try #require(try await store.acquire(worker).first)
        #expect(try await store.complete(grant, by: worker) == .accepted)
        try await convict("a", in: store)
        #expect(try await !store.unblock("a"))
        #expect(try await store.blockedWorkers().map(\.isFaulty) == [true])
        #expect(try await store.lift("a"))
        #expect(try await store.blockedWorkers().isEmpty)
        let task = try await store.task(of: grant.attempt)
        #expect(task?.state == .queued, "it is rendered again")
    }

    /// A withdrawal that was slow says nothing about a conviction after it.
    @Test func aSlowCoordinatorClearsNoNewerConviction() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 1_000_000))
        try await convict("a", in: store)
        let old = try #require(try await store.blockedWorkers().first)
        #expect(try await store.lift("a"))
        store.setClock(FarmTime(milliseconds: 1_000_001))
        try await convict("a", in: store)
        try await store.noteWithdrawn(old)
        #expect(try await store.blockedWorkers().map(\.isFaulty) == [true])
    }

    /// Nor about another machine of the name, which was found faulty meanwhile.
    @Test func aSlowCoordinatorClearsNoOtherMachine() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 1_000_000))
        try await convict("a", on: "first", in: store)
        let old = try #require(try await store.blockedWorkers().first)
        try await convict("a", on: "second", in: store)
        try await store.noteWithdrawn(old)
        let both = try #require(try await store.blockedWorkers().first)
        #expect(both.isFaulty && both.machines == ["first", "second"] && both.since == old.since)
        try await store.noteWithdrawn(both)
        #expect(try await store.blockedWorkers().map(\.isFaulty) == [false])
    }
}
