import CompositionModel
import Farm
import FarmSimulation
import Foundation
import Planning
import PostgreSQL
import TestDatabase
import Testing
import WireProtocol

@testable import Coordinator

@Suite struct StoreReferenceTests {
    private func part(_ grant: LeaseGrant) -> ContentDigest { ContentDigest(of: Data(grant.task.description.utf8)) }

    private func check(_ store: some FarmStore) async throws {
        let (clip, index, other) = (digest("clip"), digest("index"), digest("other"))
        let record = AssetRecord(digest: clip, byteCount: 4, blocks: [], facts: nil, frameIndexes: [0: index])
        try await store.putAsset(StoredAsset(record: record, path: nil))
        #expect(try await store.unreferenced([other, clip, index, other]) == [other, other])
        let doomed = try await store.insertJob(SampleJob.job(key: "doomed", segments: 2)).job.id
        let worker = try await store.register("worker")
        let grants = try await store.acquire(worker, kinds: [.picture], capacity: 1)
        #expect(try await store.unreferenced([part(grants[0])]) == [part(grants[0])])
        #expect(try await store.acceptedArtifact(of: grants[0].attempt) == nil)
        #expect(try await store.complete(grants[0], by: worker) == .accepted)
        #expect(try await store.acceptedArtifact(of: grants[0].attempt) == part(grants[0]))
        #expect(try await store.unreferenced([part(grants[0])]).isEmpty)
        _ = try await store.cancel(doomed)
        #expect(try await store.unreferenced([part(grants[0])]) == [part(grants[0])])

        let whole = try await store.insertJob(SampleJob.job(key: "whole", segments: 1)).job.id
        var parts: [ContentDigest] = []
        while try await store.job(whole)?.state.isFinal == false {
            for grant in try await store.acquire(worker, capacity: 4) {
                _ = try await store.complete(grant, by: worker)
                parts.append(part(grant))
            }
        }
        let movie = try #require(try await store.job(whole)?.artifact)
        #expect(try await store.unreferenced(parts) == parts.filter { $0 != movie })
        #expect(parts.count > 1 && parts.contains(movie))
        try await checkMeasured(store, worker)
    }

    /// Whoever ordered it joins the pieces: each is kept with the job.
    private func checkMeasured(_ store: some FarmStore, _ worker: WorkerID) async throws {
        var measuring = SampleJob.job(key: "measured", segments: 1)
        guard case .sound(let sound) = measuring.tasks[1].payload else { throw CancellationError() }
        let task = MeasureTask(sound: sound, what: .loudness, start: 0, wholeSampleCount: sound.sampleCount)
        measuring.tasks = (0..<2).map {
            NewTask(position: $0, stage: 0, payload: .measure(task), costMilliseconds: 10)
        }
        let job = try await store.insertJob(measuring).job.id
        let grants = try await store.acquire(worker, kinds: [.measure], capacity: 4)
        #expect(grants.map(\.payload) == [.measure(task), .measure(task)])
        for grant in grants { #expect(try await store.complete(grant, by: worker) == .accepted) }
        #expect(try await store.job(job)?.state == .completed)
        #expect(try await store.unreferenced(grants.map(part)).isEmpty)
    }

    /// Rounds in order, for who holds the attempt; pictures are not held up, and the joining waits for both.
    private func checkReadings(_ store: some FarmStore) async throws {
        let job = try await store.insertJob(SampleJob.job(key: "loud", segments: 2, rounds: 2)).job.id
        let worker = try await store.register("worker")
        let first = try await store.acquire(worker, capacity: 3)
        // What the sound waits for goes first, though it costs least.
        #expect(first.map(\.payload.kind) == [.measure, .measure, .measure])
        #expect(try await store.readings(of: first[0].attempt) == [])
        for grant in [first[2], first[0]] { #expect(try await store.complete(grant, by: worker) == .accepted) }
        let pictures = try await store.acquire(worker, capacity: 20)
        #expect(pictures.map(\.payload.kind) == [.picture, .picture])
        #expect(try await store.complete(first[1], by: worker) == .accepted)
        #expect(try await store.readings(of: first[1].attempt) == nil)
        let second = try await store.acquire(worker, capacity: 20)
        #expect(second.map(\.payload.kind) == [.measure, .measure, .measure])
        #expect(try await store.readings(of: second[1].attempt) == [first.map(part)])
        for grant in second + [pictures[0]] { #expect(try await store.complete(grant, by: worker) == .accepted) }
        let sound = try await store.acquire(worker, capacity: 20)
        #expect(sound.map(\.payload.kind) == [.sound])
        #expect(try await store.readings(of: sound[0].attempt) == [first.map(part), second.map(part)])
        #expect(try await store.complete(sound[0], by: worker) == .accepted)
        #expect(try await store.acquire(worker, capacity: 20).isEmpty)
        #expect(try await store.job(job)?.state == .rendering)
        #expect(try await store.complete(pictures[1], by: worker) == .accepted)
        #expect(try await store.job(job)?.state == .stitching)
        let stitch = try await store.acquire(worker, capacity: 20)
        #expect(stitch.map(\.payload.kind) == [.stitch])
        #expect(try await store.complete(stitch[0], by: worker) == .accepted)
        #expect(try await store.job(job)?.state == .completed)
        // Of a finished movie only the movie is kept.
        let readings = first.map(part)
        #expect(try await store.unreferenced(readings) == readings)
        #expect(try await store.readings(of: AttemptID(uuid: UUID())) == nil)
    }

    @Test func theModelKnowsWhatWasMeasured() async throws {
        try await checkReadings(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresKnowsWhatWasMeasured() async throws { try await checkReadings(StoreDatabase.store()) }

    private func digest(_ text: String) -> ContentDigest { ContentDigest(of: Data(text.utf8)) }

    @Test func theModelKnowsWhatIsReferredTo() async throws {
        try await check(InMemoryFarmStore(identifiers: IdentifierSource(), clock: .system))
    }

    @Test func postgresKnowsWhatIsReferredTo() async throws { try await check(StoreDatabase.store()) }
}
