import CompositionModel
import Farm
import Foundation
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// One bad part is not the end of a job: another worker renders it again.
@Suite struct RejectedPartsTests {
    /// What may happen to an accepted part on the coordinator's disk.
    enum Harm: CaseIterable {
        case removed, cutShort, flipped, emptied, replaced

        func strike(_ path: String) throws {
            switch self {
            case .removed: try FileManager.default.removeItem(atPath: path)
            case .cutShort: #expect(truncate(path, 30) == 0)
            case .emptied: #expect(truncate(path, 0) == 0)
            case .flipped:
                var data = try Data(contentsOf: URL(fileURLWithPath: path))
                data[data.count / 2] ^= 1
                try data.write(to: URL(fileURLWithPath: path))
            case .replaced: try FarmPieces.part("another").write(to: URL(fileURLWithPath: path))
            }
        }
    }

    /// As a worker does it: what is there is not sent.
    private func deliver(
        _ data: Data,
        _ grant: LeaseGrant,
        _ worker: WorkerID,
        _ farm: RunningCoordinator
    )
        async throws -> HTTPAnswer
    {
        let address = "/v1/artifacts/\(ContentDigest(of: data).hex)"
        if try await farm.call("HEAD", address, as: "worker").status != 200 {
            #expect(try await farm.upload(data, to: address).status == 201)
        }
        return try await farm.post("/v1/attempts/\(grant.attempt)/complete", FarmPieces.completion(worker, data))
    }

    private func position(_ grant: LeaseGrant, _ farm: RunningCoordinator) throws -> Int {
        try #require(try farm.store.tasks(of: grant.job).first { $0.id == grant.task }?.position)
    }

    /// Renders all parts with the first worker, then what is asked for again with the second.
    /// - Parameter data: the bytes of a part, by its position and by whether the first worker made it.
    /// - Returns: the job, and the parts that the second was asked for.
    private func work(
        _ farm: RunningCoordinator,
        spoiling harm: Harm?,
        keys: [String] = [],
        _ data: (Int, Bool) -> Data
    ) async throws -> (JobView, [Int], first: WorkerID) {
        let (first, second) = (try await farm.registerWorker(), try await farm.registerWorker())
        let job = try farm.store.insertJob(FarmPieces.job(parts: 3, keys: keys)).job.id
        let grants = try await farm.grants(FarmPieces.poll(first, wait: 2000, capacity: 3))
        try #require(grants.count == 3)
        for (number, grant) in grants.enumerated() {
            let part = data(try position(grant, farm), true)
            #expect(try await deliver(part, grant, first, farm).status == 200)
            // The movie is joined as soon as the last part is there.
            let path = farm.folder.path("artifacts/\(ContentDigest(of: part).storePath)")
            if number < 2, let harm { try harm.strike(path) }
        }
        var again: [Int] = []
        while try farm.store.job(job)?.state.isFinal == false {
            for grant in try await farm.grants(FarmPieces.poll(second, wait: 200)) {
                again.append(try position(grant, farm))
                #expect(try await deliver(data(again[again.count - 1], false), grant, second, farm).status == 200)
            }
        }
        return (try #require(try farm.store.job(job)), again, first)
    }

    @Test(arguments: Harm.allCases)
    func aPartThatTheDiskLostIsRenderedAgain(harm: Harm) async throws {
        try await withCoordinator { farm in
            let (job, again, first) = try await work(farm, spoiling: harm) { position, _ in
                FarmPieces.part("part \(position)\n")
            }
            #expect(job.state == .completed, "\(String(describing: job.failure))")
            #expect(again.count == 2 && Set(again).count == 2, "both that were harmed, once each: \(again)")
            let output = try await farm.call("GET", "/v1/jobs/\(job.id)/output", as: "viewer")
            #expect(output.text == "part 0\npart 1\npart 2\n")
            let tasks = try farm.store.tasks(of: job.id)
            for task in tasks where again.contains(task.position) {
                #expect(task.attempts.map(\.state) == [.failed, .completed])
                #expect(task.attempts[0].failure?.code == "artifact_lost")
            }
            let worker = farm.store.tables.workers.first { $0.id == first }
            #expect(worker?.provenFailures == 0, "the coordinator's disk is no fault of the worker")
        }
    }

    /// Whole files with the digests that were announced, in which there is nothing of use.
    @Test func aPartThatCannotBeJoinedIsRenderedElsewhere() async throws {
        try await withCoordinator { farm in
            let (job, again, first) = try await work(farm, spoiling: nil) { position, isFirst in
                FarmPieces.part(isFirst && position != 1 ? "JUNK \(position)" : "part \(position)\n")
            }
            #expect(job.state == .completed, "\(String(describing: job.failure))")
            #expect(again.sorted() == [0, 2])
            let output = try await farm.call("GET", "/v1/jobs/\(job.id)/output", as: "viewer")
            #expect(output.text == "part 0\npart 1\npart 2\n")
            let worker = farm.store.tables.workers.first { $0.id == first }
            #expect(worker?.provenFailures == 2)
        }
    }

    /// The next run would take the part again, fail to join it, and render it, for ever.
    @Test func aPartThatCannotBeJoinedLeavesTheShelf() async throws {
        let folder = try TemporaryFolder()
        let shelf = try PartShelf(root: folder.path("shelf"))
        try await withCoordinator { configuration, _ in
            configuration.partShelf = shelf
            configuration.partsLimit = .max
        } _: { farm in
            let (job, again, _) = try await work(farm, spoiling: nil, keys: ["a", "b", "c"]) { position, isFirst in
                FarmPieces.part(isFirst && position != 1 ? "JUNK \(position)" : "part \(position)\n")
            }
            #expect(job.state == .completed && again.sorted() == [0, 2])
            let parts = (0..<3).map { ContentDigest(of: FarmPieces.part("part \($0)\n")) }
            #expect(Set(shelf.list().map(\.digest)) == Set(parts))
        }
    }

    /// A task that met a full disk is tried again for as long as parts of earlier runs can go.
    @Test func partsGiveWayToATaskThatMetAFullDisk() async throws {
        let folder = try TemporaryFolder()
        let shelf = try PartShelf(root: folder.path("shelf"))
        do {
            let earlier = try ArtifactStore(root: folder.path("earlier"))
            for name in ["one", "two", "three"] {
                try shelf.put(earlier.put(Data("bytes of \(name)".utf8)), of: earlier, as: name, about: Data())
            }
        }
        try FileManager.default.removeItem(atPath: folder.path("earlier"))
        var policy = FarmPolicy()
        policy.retry.givesUpOnFullDisks = true
        try await withCoordinator(policy: policy) { configuration, _ in
            configuration.partShelf = shelf
            configuration.partsLimit = .max
        } _: { farm in
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id
            let full = Failure(code: FarmFailure.workerNoSpace, message: "The disk is full.", isPermanent: false)
            var tries = 0
            while try farm.store.job(job)?.state.isFinal == false {
                for grant in try await farm.grants(FarmPieces.poll(worker, wait: 200)) {
                    tries += 1
                    let failure = TaskFailure(worker: worker, failure: full)
                    #expect(try await farm.post("/v1/attempts/\(grant.attempt)/fail", failure).status == 204)
                }
            }
            #expect(tries > 1 && shelf.list().isEmpty, "\(tries)")
            #expect(try farm.store.job(job)?.failure?.code == FarmFailure.noSpace)
        }
    }

    /// A sum over such numbers would fail, and nobody could list or remove parts any more.
    @Test func statisticsThatCannotBeAreRefused() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            _ = try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id
            let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 2000)).first)
            let part = FarmPieces.part("part")
            #expect(try await farm.upload(part, to: "/v1/artifacts/\(ContentDigest(of: part).hex)").status == 201)
            let members: [WritableKeyPath<TaskStatistics, Int64>] = [
                \.wallMilliseconds, \.cpuMilliseconds, \.peakMemoryBytes, \.fetchedBytes,
            ]
            for member in members {
                for number in [-1, TaskStatistics.largest + 1, .max] {
                    var done = FarmPieces.completion(worker, part)
                    done.statistics[keyPath: member] = number
                    let refused = try await farm.post("/v1/attempts/\(grant.attempt)/complete", done)
                    #expect(refused.status == 422 && refused.code == "invalid_request", "\(refused.text)")
                }
            }
            var done = FarmPieces.completion(worker, part)
            for member in members { done.statistics[keyPath: member] = TaskStatistics.largest }
            #expect(try await farm.post("/v1/attempts/\(grant.attempt)/complete", done).status == 200)
        }
    }

    /// What has no frame of a packet file, or one of another length, is not accepted.
    @Test func whatIsNoPartIsNotAccepted() async throws {
        try await withCoordinator { farm in
            let second = try await farm.registerWorker()
            let good = FarmPieces.part("part")
            var headless = good
            headless[0] ^= 1
            var longer = good
            longer.insert(0, at: good.count - 60)
            for bad in [
                Data(), Data(count: 300), Data("junk".utf8), headless, good.dropLast(), longer,
                FarmPieces.part("part", units: 24),
            ] {
                // Each fails once: who fails three tasks that another does gets no more.
                let first = try await farm.registerWorker()
                let job = try farm.store.insertJob(FarmPieces.job(parts: 1)).job.id
                let grant = try #require(try await farm.grants(FarmPieces.poll(first, wait: 2000)).first)
                let refused = try await deliver(Data(bad), grant, first, farm)
                #expect(refused.status == 422 && refused.code == "artifact_damaged", "\(bad.count): \(refused.text)")
                let next = try #require(try await farm.grants(FarmPieces.poll(second, wait: 5000)).first)
                #expect(next.task == grant.task)
                #expect(try await deliver(good, next, second, farm).status == 200)
                try await waitUntil { try farm.store.job(job)?.state == .completed }
            }
        }
    }
}
