import Farm
import FarmSimulation
import Foundation
import PostgreSQL
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

/// Two coordinators on one database, many workers at once.
@Suite struct StoreConcurrencyTests {
    /// More tasks wait before an urgent job's than are looked at at a time.
    @Test func anUrgentJobComesFirst() async throws {
        let store = try await StoreDatabase.store()
        for number in 0..<40 { _ = try await store.insertJob(SampleJob.job(key: "\(number)", segments: 24)) }
        var urgent = SampleJob.job(key: "urgent", segments: 2)
        urgent.priority = 10
        let job = try await store.insertJob(urgent).job.id
        let worker = try await store.register("worker")
        let grants = try await store.acquire(worker, kinds: [.picture], capacity: 1)
        #expect(grants.map(\.job) == [job])
    }

    /// Heartbeats of two coordinators may be decided in another order than their clocks say; and none leads past the
    /// attempt's deadline.
    @Test func aLeaseNeverBecomesShorterNorPassesItsDeadline() async throws {
        let store = try await StoreDatabase.store()
        let start = FarmConformance.start
        store.setClock(start)
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 1))
        let worker = try await store.register("worker")
        let grant = try #require(try await store.acquire(worker, kinds: [.picture]).first)
        let (lease, deadline) = (Int64(grant.leaseMilliseconds), Int64(grant.deadlineMilliseconds))
        func until(heardAt milliseconds: Int64) async throws -> Int64 {
            store.setClock(start.adding(milliseconds: milliseconds))
            let reply = try await store.renew(worker, [AttemptProgress(attempt: grant.attempt, permille: 1)])
            #expect(reply.renewed == [grant.attempt])
            let until = try await store.pool.run { connection in
                try connection.query("SELECT until_ms FROM lease")[0].get("until_ms", as: Int64.self)
            }
            return until - start.milliseconds
        }
        #expect(try await until(heardAt: 1000) == 1000 + lease)
        #expect(try await until(heardAt: 500) == 1000 + lease, "decided later, and heard earlier")
        for milliseconds in stride(from: 2000, to: deadline, by: Int(lease / 2)) {
            #expect(try await until(heardAt: milliseconds) == min(milliseconds + lease, deadline))
        }
    }

    @Test func noTaskIsGrantedTwice() async throws {
        let target = try await StoreDatabase.make()
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        for number in 0..<4 { _ = try await stores[0].insertJob(SampleJob.job(key: "\(number)", segments: 24)) }
        let grants = try await withThrowingTaskGroup(of: [LeaseGrant].self) { group in
            for number in 0..<12 {
                let store = stores[number % 2]
                group.addTask {
                    let worker = try await store.register("worker \(number)")
                    var mine: [LeaseGrant] = []
                    for _ in 0..<12 { mine += try await store.acquire(worker, kinds: [.picture], capacity: 2) }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(grants.count == 96)
        #expect(Set(grants.map(\.task)).count == 96)
        #expect(Set(grants.map(\.attempt)).count == 96)
    }

    @Test func aWholeFarmAtOnceFinishesEveryJobOnce() async throws {
        let target = try await StoreDatabase.make()
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        _ = try await stores[0].sweep()
        for number in 0..<3 { _ = try await stores[0].insertJob(SampleJob.job(key: "\(number)", segments: 8)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                let store = stores[number % 2]
                group.addTask {
                    let worker = try await store.register("worker \(number)")
                    while try await store.jobs(JobFilter(states: [.completed])).count < 3 {
                        for grant in try await store.acquire(worker, capacity: 2) {
                            #expect(try await store.complete(grant, by: worker) == .accepted)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for job in try await stores[0].jobs(JobFilter()) {
            #expect(job.permille == 1000)
            #expect(try await stores[0].tasks(of: job.id).allSatisfy { $0.attempts.count == 1 })
        }
    }

    /// Two coordinators note a worker in any order, each at the instant of its transaction.
    @Test func anEarlierInstantDoesNotMakeAWorkerUnheard() async throws {
        let store = try await StoreDatabase.store()
        let start = FarmTime(milliseconds: 1_700_000_000_000)
        store.setClock(start)
        let worker = try await store.register("worker")
        for seconds: Int64 in [5, 2] {
            store.setClock(start.adding(milliseconds: 1000 * seconds))
            _ = try await store.renew(worker, [])
        }
        store.setClock(start.adding(milliseconds: 6000))
        #expect(try await store.workers().map(\.secondsSinceSeen) == [1])
    }

    @Test func theSameSubmissionAtOnceMakesOneJob() async throws {
        let store = try await StoreDatabase.store()
        let insertions = try await withThrowingTaskGroup(of: JobInsertion.self) { group in
            for _ in 0..<8 { group.addTask { try await store.insertJob(SampleJob.job(key: "same", segments: 5)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(insertions.count(where: \.isNew) == 1)
        #expect(Set(insertions.map(\.job.id)).count == 1)
        #expect(try await store.jobs(JobFilter()).count == 1)
    }

    @Test func theSamePollAtOnceGetsTheSameGrant() async throws {
        let store = try await StoreDatabase.store()
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 5))
        let worker = try await store.register("worker")
        let poll = PollID(uuid: UUID())
        let grants = try await withThrowingTaskGroup(of: [LeaseGrant].self) { group in
            for _ in 0..<6 { group.addTask { try await store.acquire(worker, capacity: 2, poll: poll) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(grants.map { $0.map(\.attempt) }).count == 1)
        #expect(grants[0].count == 2)
    }

    /// A completion and a cancellation race: whichever the database takes first stays, and nobody waits for ever.
    @Test func aCancellationRacingCompletionsLeavesNothingHalfDone() async throws {
        let store = try await StoreDatabase.store()
        let job = try await store.insertJob(SampleJob.job(key: "job", segments: 8, hasSound: false)).job.id
        let worker = try await store.register("worker")
        let grants = try await store.acquire(worker, capacity: 8)
        await withTaskGroup(of: Void.self) { group in
            for grant in grants { group.addTask { _ = try? await store.complete(grant, by: worker) } }
            group.addTask { _ = try? await store.cancel(job) }
        }
        let tasks = try await store.tasks(of: job)
        #expect(try await store.job(job)?.state == .cancelled)
        #expect(tasks.allSatisfy { $0.state == .completed || $0.state == .cancelled })
        #expect(tasks.flatMap(\.attempts).allSatisfy { $0.state != .live })
        #expect(try await store.pool.run { try $0.query("SELECT * FROM lease").count } == 0)
    }

    /// A reader that remembers the last number never misses an event that commits later.
    @Test func eventsAreSeenInTheOrderOfTheirNumbers() async throws {
        let target = try await StoreDatabase.make()
        let store = try await StoreDatabase.open(target, connections: 6)
        let reader = try await StoreDatabase.open(target)
        let following = Task {
            var seen: [Int64] = []
            while seen.count < 120 {
                seen += try await reader.events(after: seen.last ?? 0, job: nil, limit: 50).map(\.sequence)
            }
            return seen
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<120 {
                group.addTask { _ = try await store.insertJob(SampleJob.job(key: "\(number)", segments: 1)) }
            }
            try await group.waitForAll()
        }
        #expect(try await following.value == Array(1...120))
    }

    @Test func anotherCoordinatorHearsOfChanges() async throws {
        let target = try await StoreDatabase.make()
        let listener = try await StoreDatabase.open(target)
        let store = try await StoreDatabase.open(target)
        var changes = await listener.changes().makeAsyncIterator()
        await changes.next()
        // The listener's own connection comes up in its time and says so.
        await changes.next()
        _ = try await store.insertJob(SampleJob.job(key: "job", segments: 1))
        await changes.next()
        #expect(try await listener.events(after: 0, job: nil, limit: 10).count == 1)
    }
}
