import CompositionModel
import Coordinator
import Farm
import Foundation
import Storage
import TestSupport
import Testing
import WireProtocol

/// What nothing refers to goes, what anybody needs stays.
@Suite struct CollectionTests {
    private let clock = TestClock()
    private let later = Later()

    /// Lets two minutes pass, and then one round of the collector after the other until `condition` holds.
    private func collect(until condition: () throws -> Bool) async throws {
        later.seconds += 120
        while try !condition() {
            try await clock.waitForSleep(of: .seconds(600))
            clock.advance(by: .seconds(600))
        }
    }

    private func collecting(_ body: (RunningCoordinator, ArtifactStore) async throws -> Void) async throws {
        try await withCoordinator { configuration, _ in
            configuration.clock = clock
            // What is stored counts as old enough after a minute.
            configuration.artifactGrace = .seconds(60)
            configuration.now = { [later] in Date(timeIntervalSinceNow: later.seconds) }
        } _: { farm in
            try await body(farm, try ArtifactStore(root: farm.folder.path("artifacts")))
        }
    }

    /// Leases one task and completes it with `data`.
    private func completeOne(_ data: Data, _ worker: WorkerID, _ farm: RunningCoordinator) async throws {
        let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 2000)).first)
        _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
        let done = try await farm.post("/v1/attempts/\(grant.attempt)/complete", FarmPieces.completion(worker, data))
        #expect(done.status == 200, "\(done.text)")
    }

    @Test func partsOfACancelledJobGoAndThoseOfALiveOneStay() async throws {
        try await collecting { farm, store in
            let worker = try await farm.registerWorker()
            let doomed = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let (gone, kept, lost) = (FarmPieces.part("gone"), FarmPieces.part("kept"), Data("nobody's".utf8))
            try await completeOne(gone, worker, farm)
            _ = try farm.store.cancel(doomed)
            _ = try farm.store.insertJob(FarmPieces.job(parts: 2))
            try await completeOne(kept, worker, farm)
            _ = try await farm.upload(lost, to: "/v1/artifacts/\(ContentDigest(of: lost).hex)")
            try await collect {
                store.byteCount(of: ContentDigest(of: gone)) == nil
                    && store.byteCount(of: ContentDigest(of: lost)) == nil
            }
            // A whole round more has begun and ended when this one goes.
            let again = try await farm.upload(lost, to: "/v1/artifacts/\(ContentDigest(of: lost).hex)")
            #expect(again.status == 201)
            try await collect { store.byteCount(of: ContentDigest(of: lost)) == nil }
            #expect(store.byteCount(of: ContentDigest(of: kept)) != nil)
        }
    }

    @Test func moviesAndAssetsStayWhenTheirPartsGo() async throws {
        try await collecting { farm, store in
            let clip = Data("a clip".utf8)
            let stored = try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor")
            let record = try stored.decode(AssetRecord.self)
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let parts = [FarmPieces.part("one"), FarmPieces.part("two")]
            for part in parts { try await completeOne(part, worker, farm) }
            try await waitUntil { try farm.store.job(job)?.state.isFinal == true }
            try await collect { parts.allSatisfy { store.byteCount(of: ContentDigest(of: $0)) == nil } }
            let movie = try #require(try farm.store.job(job)?.artifact)
            for digest in [movie, record.digest] + record.frameIndexes.values {
                #expect(store.byteCount(of: digest) != nil)
            }
        }
    }

    @Test func whatWasHashedIsForgottenWithItsFile() async throws {
        try await collecting { farm, store in
            let clip = farm.folder.path("footage/clip.mov")
            try Data("BAD clip".utf8).write(to: URL(fileURLWithPath: clip))
            try store.remember(store.register(path: clip).digest)
            let identities = farm.folder.path("artifacts/identities")
            #expect(try FileManager.default.contentsOfDirectory(atPath: identities).count == 1)
            try await collect { try FileManager.default.contentsOfDirectory(atPath: identities).isEmpty }
        }
    }

    /// Somebody begins anew with an empty database and keeps the folder.
    @Test func aFolderBelongsToTheDatabaseThatUsedItFirst() async throws {
        let (data, folder) = (Data("the other's movie".utf8), try TemporaryFolder())
        let first = InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system)
        func with(_ other: InMemoryFarmStore?, _ body: (RunningCoordinator) async throws -> Void) async throws {
            try await withCoordinator { configuration, _ in
                configuration.artifactRoot = folder.path("artifacts")
                if let other { configuration.store = other }
            } _: { farm in
                try await body(farm)
            }
        }
        try await with(first) { farm in
            _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
        }
        let refused = await #expect(throws: StorageError.self) { try await with(nil) { _ in } }
        #expect(refused?.code == "artifact_folder_taken")
        #expect(refused?.description.contains("another database") == true)
        try await with(first) { farm in
            let head = try await farm.call("HEAD", "/v1/artifacts/\(ContentDigest(of: data).hex)", as: "worker")
            #expect(head.status == 200)
        }
    }
}
