import CompositionModel
import Farm
import Foundation
import ObjectStorage
import Testing
import WireProtocol

@testable import Coordinator

/// What the database knows of assets that clients send to the bucket, and of the workers that probe them.
@Suite struct StoreBucketUploadTests {
    private static let minute: Int64 = 60_000

    private func upload(
        _ text: String,
        of owner: String = "anna",
        byteCount: Int64 = 100,
        key: String
    ) -> BucketUpload {
        BucketUpload(
            owner: owner,
            digest: ContentDigest(of: Data(text.utf8)),
            byteCount: byteCount,
            upload: MultipartUpload(key: key, id: "id of " + key)
        )
    }

    private func begin(_ upload: BucketUpload, _ store: PostgresFarmStore) async throws -> BucketUpload {
        try await store.begin(upload, atMost: 3, 1000)
    }

    private func claim() -> ProbeID { ProbeID(uuid: UUID()) }

    private let problem = Problem.unprocessable("asset_unreadable", "This is no movie.")

    @Test func anUploadIsItsOwnersAndFoundAgain() async throws {
        let store = try await StoreDatabase.store()
        let (first, second) = (upload("a", key: "one"), upload("a", key: "two"))
        #expect(try await begin(first, store) == first)
        #expect(try await begin(second, store) == first)
        let other = upload("a", of: "ben", key: "three")
        #expect(try await begin(other, store) == other)
        #expect(try await store.bucketUpload(first.digest, of: "anna") == first)
        #expect(try await store.bucketUpload(first.digest, of: "carl") == nil)
        // One of another length is another file.
        let longer = upload("a", byteCount: 101, key: "four")
        #expect(try await begin(longer, store) == longer)
        #expect(try await store.unwantedObjects(after: nil, limit: 10) == ["one"])
        #expect(try await store.unwantedUploads(limit: 10) == [first.upload])
        #expect(try await store.unknownObjects(["one", "two", "three", "four"]) == ["two"])
    }

    @Test func anOwnerHasSoMuchUnfinished() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 0))
        for name in ["a", "b", "c"] { _ = try await begin(upload(name, key: name), store) }
        await #expect(throws: FarmStoreError.self) { _ = try await begin(upload("d", key: "d"), store) }
        let other = upload("d", of: "ben", byteCount: 1000, key: "e")
        #expect(try await begin(other, store) == other)
        await #expect(throws: FarmStoreError.self) { _ = try await begin(upload("f", of: "ben", key: "f"), store) }
        // What was left alone makes room.
        store.setClock(FarmTime(milliseconds: 9 * Self.minute))
        try await store.touch(upload("c", key: "c"))
        store.setClock(FarmTime(milliseconds: 11 * Self.minute))
        let fresh = upload("d", key: "g")
        #expect(try await begin(fresh, store) == fresh)
        #expect(try await store.bucketUpload(upload("c", key: "c").digest, of: "anna") != nil)
        #expect(try await store.bucketUpload(upload("a", key: "a").digest, of: "anna") == nil)
        // Their parts go.
        let gone = try await store.unwantedUploads(limit: 10)
        #expect(gone == ["a", "b"].map { upload($0, key: $0).upload })
        for upload in gone { try await store.noteAborted(upload) }
        #expect(try await store.unwantedUploads(limit: 10).isEmpty)
    }

    @Test func theOneThatWaitsLongestIsProbedFirst() async throws {
        let store = try await StoreDatabase.store()
        for (second, name) in ["a", "b", "c"].enumerated() {
            store.setClock(FarmTime(milliseconds: Int64(second) * 1000))
            let waiting = upload(name, byteCount: name == "a" ? 200 : 100, key: name)
            _ = try await begin(waiting, store)
            // Parts of the last are missing.
            if name != "c" { try await store.noteArrival(of: waiting) }
        }
        let ids = (0..<3).map { _ in claim() }
        #expect(try await store.claimProbe(ids[0], upTo: 150, for: Self.minute)?.upload.key == "b")
        #expect(try await store.claimProbe(ids[1], upTo: 200, for: Self.minute)?.upload.key == "a")
        #expect(try await store.claimProbe(ids[2], upTo: .max, for: Self.minute) == nil)
        #expect(try await store.renewProbe(ids[0], for: Self.minute)?.state == .probing)
        #expect(try await store.endProbe(ids[0], .taken))
        #expect(try await store.bucketUpload(upload("b", key: "b").digest, of: "anna") == nil)
        #expect(try await !store.endProbe(ids[0], .taken))
        // An asset's object is no unwanted one.
        #expect(try await store.unwantedObjects(after: nil, limit: 10).isEmpty)
    }

    /// A claim that was not renewed counts for nothing; whoever still has it hears so.
    @Test func aWorkerThatIsNotHeardOfLosesItsClaim() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 0))
        let only = upload("a", key: "a")
        _ = try await begin(only, store)
        try await store.noteArrival(of: only)
        let (first, second) = (claim(), claim())
        #expect(try await store.claimProbe(first, upTo: .max, for: Self.minute) != nil)
        store.setClock(FarmTime(milliseconds: Self.minute))
        #expect(try await store.claimProbe(second, upTo: .max, for: Self.minute) == nil)
        #expect(try await store.renewProbe(first, for: Self.minute) != nil)
        store.setClock(FarmTime(milliseconds: 2 * Self.minute + 1))
        #expect(try await store.claimProbe(second, upTo: .max, for: Self.minute) != nil)
        #expect(try await store.renewProbe(first, for: Self.minute) == nil)
        #expect(try await !store.endProbe(first, .refused(problem)))
        #expect(try await store.renewProbe(second, for: Self.minute) != nil)
    }

    @Test func threeSilentWorkersAreTheFilesFault() async throws {
        let store = try await StoreDatabase.store()
        let only = upload("a", key: "a")
        _ = try await begin(only, store)
        try await store.noteArrival(of: only)
        for round in 0..<3 as Range<Int64> {
            store.setClock(FarmTime(milliseconds: Int64(4_000_000_000_000) + round * 2 * Self.minute))
            #expect(try await store.claimProbe(claim(), upTo: .max, for: Self.minute) != nil, "round \(round)")
        }
        store.setClock(FarmTime(milliseconds: 4_000_000_000_000 + 6 * Self.minute))
        #expect(try await store.claimProbe(claim(), upTo: .max, for: Self.minute) == nil)
        let refused = try #require(try await store.bucketUpload(only.digest, of: "anna"))
        #expect(refused.state == .refused && refused.problem == ProbeOutcome.silence)
        #expect(try await store.unwantedObjects(after: nil, limit: 10) == ["a"])
    }

    @Test func whatIsHandedBackIsNoFailure() async throws {
        let store = try await StoreDatabase.store()
        let only = upload("a", key: "a")
        _ = try await begin(only, store)
        try await store.noteArrival(of: only)
        func end(_ outcome: ProbeOutcome) async throws -> BucketUpload.State? {
            let id = claim()
            #expect(try await store.claimProbe(id, upTo: .max, for: Self.minute) != nil)
            #expect(try await store.endProbe(id, outcome))
            return try await store.bucketUpload(only.digest, of: "anna")?.state
        }
        for _ in 0..<4 { #expect(try await end(.handedBack) == .waiting) }
        for _ in 0..<4 { #expect(try await end(.unread) == .waiting) }
        #expect(try await end(.unread) == .refused)
        #expect(try await store.bucketUpload(only.digest, of: "anna")?.problem == .sentHere)
        // It is sent anew, under another name.
        let again = upload("a", key: "b")
        #expect(try await begin(again, store) == again)
        try await store.noteArrival(of: again)
        #expect(try await end(.refused(problem)) == .refused)
        #expect(try await store.bucketUpload(only.digest, of: "anna")?.problem == problem)
        #expect(try await store.unwantedObjects(after: nil, limit: 10) == ["a", "b"])
    }

    @Test func whatIsLeftAloneIsForgotten() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 0))
        let (sending, waiting) = (upload("a", key: "a"), upload("b", key: "b"))
        for upload in [sending, waiting] { _ = try await begin(upload, store) }
        try await store.noteArrival(of: waiting)
        store.setClock(FarmTime(milliseconds: Self.minute))
        let fresh = upload("c", key: "c")
        _ = try await begin(fresh, store)
        try await store.forgetUploads(untouchedFor: Self.minute)
        #expect(try await store.bucketUpload(sending.digest, of: "anna") == sending)
        store.setClock(FarmTime(milliseconds: Self.minute + 1))
        try await store.forgetUploads(untouchedFor: Self.minute)
        #expect(try await store.unwantedUploads(limit: 10) == [sending.upload])
        #expect(try await store.unwantedObjects(after: nil, limit: 10) == ["a", "b"])
        #expect(try await store.bucketUpload(fresh.digest, of: "anna") == fresh)
    }

    @Test func workersAreRememberedByWhatTheyMayTake() async throws {
        let store = try await StoreDatabase.store()
        store.setClock(FarmTime(milliseconds: 0))
        func has(_ version: Int, _ byteCount: Int64) async throws -> Bool {
            try await store.hasProber(Probers(factsVersion: version, byteLimit: byteCount), within: Self.minute)
        }
        #expect(try await !has(16, 1))
        try await store.noteProbers(of: UUID(), Probers(factsVersion: 16, byteLimit: 100))
        store.setClock(FarmTime(milliseconds: Self.minute))
        #expect(try await has(16, 100))
        #expect(try await !has(16, 101))
        #expect(try await !has(17, 1))
        store.setClock(FarmTime(milliseconds: Self.minute + 1))
        #expect(try await !has(16, 1))
    }

    /// A coordinator that ends between two steps leaves an object that is needed already.
    @Test func whatHoldsTheBytesIsNotRemoved() async throws {
        let store = try await StoreDatabase.store()
        let only = upload("a", key: "a")
        _ = try await begin(only, store)
        try await store.noteArrival(of: only)
        let id = claim()
        #expect(try await store.claimProbe(id, upTo: .max, for: Self.minute) != nil)
        // The same claim again, as after a lost answer, is the same upload.
        #expect(try await store.claimProbe(id, upTo: .max, for: Self.minute)?.upload == only.upload)
        #expect(try await store.noteProbed(claim(), keptFor: Self.minute) == nil)
        #expect(try await store.noteProbed(id, keptFor: Self.minute) == only.object)
        #expect(try await store.endProbe(id, .refused(problem)))
        #expect(try await store.unwantedObjects(after: nil, limit: 10).isEmpty)
        let other = upload("a", of: "ben", key: "b")
        _ = try await begin(other, store)
        try await store.noteArrival(of: other)
        let second = claim()
        #expect(try await store.claimProbe(second, upTo: .max, for: Self.minute)?.upload == other.upload)
        #expect(try await store.noteProbed(second, keptFor: Self.minute) == only.object)
        #expect(try await store.unwantedObjects(after: nil, limit: 10) == ["b"])
    }
}
