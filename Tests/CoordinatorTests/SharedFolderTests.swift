import CompositionModel
import Farm
import Foundation
import Storage
import TestDatabase
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Two coordinators with one PostgreSQL and one artifact folder, both collecting twenty times a second.
@Suite struct SharedFolderTests {
    /// What a test needs of both.
    private struct Pair {
        let coordinators: [RunningCoordinator]
        let store: PostgresFarmStore
        let artifacts: ArtifactStore

        func isStored(_ digest: ContentDigest) -> Bool { artifacts.byteCount(of: digest) != nil }
    }

    private func withTwo(_ body: (Pair) async throws -> Void) async throws {
        let (target, folder) = (try await StoreDatabase.make(), try TemporaryFolder())
        let stores = [try await StoreDatabase.open(target), try await StoreDatabase.open(target)]
        let root = folder.path("artifacts")
        func with(_ store: PostgresFarmStore, _ body: (RunningCoordinator) async throws -> Void) async throws {
            try await withCoordinator { configuration, _ in
                configuration.store = store
                configuration.artifactRoot = root
                configuration.artifactGrace = .seconds(1)
                configuration.collectionInterval = .milliseconds(50)
            } _: {
                try await body($0)
            }
        }
        try await with(stores[0]) { first in
            try await with(stores[1]) { second in
                let artifacts = try ArtifactStore(root: root)
                try await body(Pair(coordinators: [first, second], store: stores[0], artifacts: artifacts))
            }
        }
    }

    /// As a worker does it: sends what is not there, and again what was collected before it was accepted, however often a
    /// busy machine has that happen.
    private func completeOne(_ data: Data, _ worker: WorkerID, _ farm: RunningCoordinator) async throws {
        let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 5000)).first)
        let address = "/v1/artifacts/\(ContentDigest(of: data).hex)"
        while true {
            if try await farm.call("HEAD", address, as: "worker").status == 404 {
                #expect(try await farm.upload(data, to: address).status == 201)
            }
            let completion = FarmPieces.completion(worker, data)
            let done = try await farm.post("/v1/attempts/\(grant.attempt)/complete", completion)
            if done.status == 200 { return }
            try #require(done.code == "artifact_missing")
        }
    }

    private func waitForEnd(of job: JobID, _ farm: Pair) async throws {
        try await waitUntil { try await farm.store.job(job)?.state.isFinal == true }
    }

    /// Waits until the collectors have looked at everything that is stored now: what nobody refers to is stored again
    /// and again, and each time seen to go.
    private func seeRounds(_ farm: Pair, rounds: Int = 2) async throws {
        for round in 0..<rounds {
            let data = Data("nobody's \(round)".utf8)
            let digest = ContentDigest(of: data)
            let stored = try await farm.coordinators[round % 2].upload(data, to: "/v1/artifacts/\(digest.hex)")
            #expect(stored.status == 201)
            try await waitUntil { !farm.isStored(digest) }
        }
    }

    @Test func whatIsNeededStaysAndTheRestGoes() async throws {
        try await withTwo { farm in
            let (one, two) = (farm.coordinators[0], farm.coordinators[1])
            let worker = try await one.registerWorker()
            let (gone, kept, rest) = (FarmPieces.part("gone"), FarmPieces.part("kept"), FarmPieces.part("rest"))
            let doomed = try await farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            try await completeOne(gone, worker, one)
            _ = try await farm.store.cancel(doomed)
            let live = try await farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            try await completeOne(kept, worker, two)
            try await waitUntil { !farm.isStored(ContentDigest(of: gone)) }
            try await seeRounds(farm)
            #expect(farm.isStored(ContentDigest(of: kept)), "its job goes on")
            try await completeOne(rest, worker, one)
            try await waitForEnd(of: live, farm)
            try await waitUntil { !farm.isStored(ContentDigest(of: kept)) }
            let movie = try #require(try await farm.store.job(live)?.artifact)
            try farm.artifacts.verify(farm.artifacts.open(movie))
        }
    }

    /// The same bytes again and again: each job's parts go while the next one's are accepted.
    @Test func noJobFailsOverWhatIsCollectedBesideIt() async throws {
        try await withTwo { farm in
            let worker = try await farm.coordinators[0].registerWorker()
            let data = FarmPieces.part("the same")
            for round in 0..<6 {
                let job = try await farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
                try await completeOne(data, worker, farm.coordinators[round % 2])
                if round % 3 > 0 { try await seeRounds(farm, rounds: round % 3) }
                try await completeOne(data, worker, farm.coordinators[(round + 1) % 2])
                try await waitForEnd(of: job, farm)
                #expect(try await farm.store.job(job)?.state == .completed)
            }
        }
    }
}
