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
    private func collecting(_ body: (RunningCoordinator, ArtifactStore) async throws -> Void) async throws {
        try await withCoordinator { configuration, _ in
            configuration.artifactGrace = .seconds(6)
            configuration.collectionInterval = .milliseconds(200)
        } _: { farm in
            try await body(farm, try ArtifactStore(root: farm.folder.path("artifacts")))
        }
    }

    /// Leases one task and completes it with `data`. Where so much time passes between upload and completion that the
    /// collector has taken it for nobody's, it is sent again, as a worker does.
    private func completeOne(_ data: Data, _ worker: WorkerID, _ farm: RunningCoordinator) async throws {
        let grant = try #require(try await farm.grants(FarmPieces.poll(worker, wait: 2000)).first)
        while true {
            _ = try await farm.upload(data, to: "/v1/artifacts/\(ContentDigest(of: data).hex)")
            let done = try await farm.post(
                "/v1/attempts/\(grant.attempt)/complete",
                FarmPieces.completion(worker, data)
            )
            if done.code == "artifact_missing" { continue }
            #expect(done.status == 200, "\(done.text)")
            return
        }
    }

    /// Uploads an asset, once more where the collector was there before it was probed.
    private func asset(_ data: Data, _ farm: RunningCoordinator) async throws -> AssetRecord {
        while true {
            let answer = try await farm.upload(data, to: "/v1/assets/\(ContentDigest(of: data).hex)", as: "editor")
            if (200..<300).contains(answer.status) { return try answer.decode(AssetRecord.self) }
            try #require(answer.status >= 500 || answer.code == "artifact_missing", "\(answer.text)")
        }
    }

    @Test func partsOfACancelledJobGoAndThoseOfALiveOneStay() async throws {
        try await collecting { farm, store in
            let worker = try await farm.registerWorker()
            let doomed = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let (gone, kept, lost) = (Data("gone".utf8), Data("kept".utf8), Data("nobody's".utf8))
            try await completeOne(gone, worker, farm)
            _ = try farm.store.cancel(doomed)
            _ = try farm.store.insertJob(FarmPieces.job(parts: 2))
            try await completeOne(kept, worker, farm)
            _ = try await farm.upload(lost, to: "/v1/artifacts/\(ContentDigest(of: lost).hex)")
            #expect(try await farm.eventually { store.byteCount(of: ContentDigest(of: gone)) == nil })
            #expect(try await farm.eventually { store.byteCount(of: ContentDigest(of: lost)) == nil })
            try await Task.sleep(for: .milliseconds(500))
            #expect(store.byteCount(of: ContentDigest(of: kept)) != nil)
        }
    }

    @Test func moviesAndAssetsStayWhenTheirPartsGo() async throws {
        try await collecting { farm, store in
            let clip = Data("a clip".utf8)
            let record = try await asset(clip, farm)
            let worker = try await farm.registerWorker()
            let job = try farm.store.insertJob(FarmPieces.job(parts: 2)).job.id
            let parts = [Data("one".utf8), Data("two".utf8)]
            for part in parts { try await completeOne(part, worker, farm) }
            for part in parts {
                #expect(try await farm.eventually { store.byteCount(of: ContentDigest(of: part)) == nil })
            }
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
            #expect(
                try await farm.eventually {
                    try FileManager.default.contentsOfDirectory(atPath: identities).isEmpty
                }
            )
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
