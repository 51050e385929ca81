import Farm
import FarmSimulation
import Foundation
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Free slots go round between owners, in the database too.
@Suite struct StoreFairnessTests {
    /// One owner has filled the queue at the highest priority: the other's small job is granted in the next slots, of
    /// two coordinators that know nothing of each other.
    @Test func anothersSmallJobGetsTheNextFreeSlot() async throws {
        let target = try await StoreDatabase.make()
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        let worker = try await stores[0].register("w")
        var hostile: Set<JobID> = []
        for number in 0..<5 {
            let job = SampleJob.job(key: "h\(number)", owner: "hostile", segments: 60, priority: Int(Int32.max))
            hostile.insert(try await stores[0].insertJob(job).job.id)
        }
        for _ in 0..<3 { #expect(try await stores[0].acquire(worker).count == 1) }
        let small = try await stores[1].insertJob(SampleJob.job(key: "s", owner: "other", segments: 2, priority: -5))
            .job.id
        var owners: [Bool] = []
        for number in 0..<6 {
            let grant = try #require(try await stores[number % 2].acquire(worker).first)
            owners.append(grant.job == small)
            #expect(grant.job == small || hostile.contains(grant.job))
        }
        // Two segments and a sound; then the others have all slots again.
        #expect(owners == [true, false, true, false, true, false])
        #expect(try await stores[0].acquire(worker, capacity: 4).allSatisfy { hostile.contains($0.job) })
    }

    /// Also within one answer.
    @Test func manySlotsAreSharedEvenly() async throws {
        let store = try await StoreDatabase.store()
        let worker = try await store.register("w")
        var owners: [JobID: String] = [:]
        for owner in ["a", "b", "c"] {
            let job = SampleJob.job(key: "k", owner: owner, segments: 90, hasSound: false)
            owners[try await store.insertJob(job).job.id] = owner
        }
        let grants = try await store.acquire(worker, capacity: 240)
        let counts = Dictionary(grouping: grants.compactMap { owners[$0.job] }) { $0 }.mapValues(\.count)
        #expect(counts == ["a": 80, "b": 80, "c": 80])
    }
}
