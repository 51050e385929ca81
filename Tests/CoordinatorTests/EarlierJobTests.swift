import CompositionModel
import Farm
import Foundation
import Testing
import WireProtocol

@testable import Coordinator

/// Jobs that begin after others, as clients see them.
@Suite struct EarlierJobTests {
    @Test func aJobSaysWhatItAwaits() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let others = try (0..<5).map { _ in try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id }
            func waiting(after jobs: [JobID]) async throws -> JobWaiting? {
                var job = try FarmPieces.job(parts: 1)
                job.afterJobs = jobs
                let id = try farm.store.insertJob(job).job.id
                return try await farm.call("GET", "/v1/jobs/\(id)", as: "viewer").decode(JobView.self).waiting
            }
            let one = try await waiting(after: [others[0]])
            #expect(one?.sentence == "Waits for another job")
            #expect(one?.detail == "It begins once this is completed: \(others[0]).")
            let many = try await waiting(after: others)
            #expect(many?.sentence == "Waits for 5 other jobs")
            let first = others.prefix(3).map(\.description).joined(separator: ", ")
            #expect(many?.detail == "It begins once these are completed: \(first) and 2 more.")
            #expect(try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 20)).count == 5)
        }
    }

    /// The sweep is the coordinator's own.
    @Test func aPollIsAnsweredWhenTheJobBeforeIsCompleted() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let first = try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id
            var job = try FarmPieces.job(parts: 1)
            job.afterJobs = [first]
            let second = try farm.store.insertJob(job).job.id
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 9)).first)
            #expect(grant.job == first)
            let data = FarmPieces.part("one")
            _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
            let completion = FarmPieces.completion(worker, data)
            #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", completion).status == 200)
            let next = try await farm.grants(FarmPieces.poll(worker, wait: 20_000))
            #expect(next.map(\.job) == [second])
        }
    }
}
