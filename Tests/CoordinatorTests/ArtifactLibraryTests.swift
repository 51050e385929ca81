import CompositionModel
import Curl
import Farm
import Foundation
import NIOCore
import ObjectStorage
import Storage
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Artifacts in a bucket of a real service: OpenStack Swift. Where it is not installed, one line says so.
@Suite struct ArtifactLibraryTests {
    private static let server = Task { try await ObjectServer.start() }

    /// A bucket, a database, and the folders of two coordinators.
    private struct Place {
        let folders: [TemporaryFolder]
        let libraries: [ArtifactLibrary]
        let store: PostgresFarmStore
        let bucket: BucketArtifacts

        /// Stores bytes as the coordinator does that took them in.
        func put(_ data: Data, in library: Int = 0) async throws -> ContentDigest {
            let digest = try libraries[library].folder.put(data)
            try await libraries[library].keep(digest)
            return digest
        }

        /// The object that holds the bytes.
        func object(_ digest: ContentDigest) async throws -> StoredObject {
            try #require(try await bucket.object(digest))
        }

        func write(_ data: Data, over object: StoredObject) async throws {
            _ = try await bucket.bucket.put(object.key, .data(data))
        }
    }

    /// A part is read before anybody keeps others from removing it, and taken only while it is the same file.
    @Test func aFileThatWasReplacedIsNotTheOneThatWasRead() async throws {
        let place = try TemporaryFolder()
        let folder = try ArtifactStore(root: place.path("artifacts"))
        let space = SpaceWatch(artifactRoot: folder.root, others: [], read: { _ in nil })
        let library = ArtifactLibrary(folder: folder, bucket: nil, space: space)
        let digest = try folder.put(Data("bytes".utf8))
        let read = try #require(try await library.readingPart(digest))
        #expect(try await library.hasStill(read))
        try FileManager.default.removeItem(atPath: place.path("artifacts/\(digest.storePath)"))
        #expect(try await !library.hasStill(read))
        #expect(try await library.readingPart(digest) == nil)
        _ = try folder.put(Data("bytes".utf8))
        #expect(try await !library.hasStill(read))
        #expect(try await library.readingPart(digest) != nil)
    }

    private func makePlace(limit: DiskSpace? = nil) async throws -> Place? {
        guard let server = try await Self.server.value else { return nil }
        let location = try BucketLocation(
            bucket: try await server.bucket(),
            region: ObjectServer.region,
            endpoint: server.url
        )
        let store = try await StoreDatabase.store()
        let bucket = BucketArtifacts(
            bucket: Bucket(location, BucketCredentials(accessKey: "test:tester", secretKey: "testing")),
            keys: ObjectKeys(prefix: "farm/"),
            ledger: store,
            now: { Date() }
        )
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        let libraries = try folders.map { folder in
            ArtifactLibrary(
                folder: try ArtifactStore(root: folder.path("artifacts")),
                bucket: bucket,
                space: SpaceWatch(artifactRoot: folder.url.path, others: [], read: { _ in limit })
            )
        }
        try await bucket.claim(for: "owner", isKnown: false)
        return Place(folders: folders, libraries: libraries, store: store, bucket: bucket)
    }

    private func bytes(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private func read(_ file: StoredFile) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file.path)) }

    /// What one coordinator takes in, another one with an empty folder has: whole, by ranges, as names in a folder, and by an
    /// address for whoever has it.
    @Test func anotherCoordinatorHasWhatOneTookIn() async throws {
        guard let place = try await makePlace() else { return }
        let data = bytes(3_000_000)
        let digest = try await place.put(data)
        let other = place.libraries[1]
        #expect(try await other.byteCount(of: digest) == 3_000_000)
        let reader = try await other.reader(digest)
        guard case .object = reader else {
            Issue.record("read from a copy that there is not")
            return
        }
        let range = try await reader.bytes(at: 1_000_000, count: 500)
        #expect(Data(range.readableBytesView) == data[1_000_000..<1_000_500])
        #expect(try await reader.bytes(at: 2_999_990, count: 500).readableBytes == 10)
        #expect(try await reader.bytes(at: 3_000_000, count: 500).readableBytes == 0)
        let address = try #require(try await other.address(of: digest))
        let answer = try await CurlClient().send(HTTPRequest(.get, address, headers: [("Range", "bytes=5-9")]))
        #expect(answer.status == 206 && answer.body == data[5..<10])
        let (scratch, paths) = try await other.gather([digest, digest])
        #expect(try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == [data, data])
        withExtendedLifetime(scratch) {}
        #expect(try read(try await other.open(digest)) == data)
        guard case .file = try await other.reader(digest) else {
            Issue.record("not read from the copy that there is")
            return
        }
        // Storing it once more sends nothing.
        let before = try await place.object(digest)
        _ = try await place.put(data, in: 1)
        #expect(try await place.object(digest) == before)
        let nothing = ContentDigest(of: Data("nothing".utf8))
        #expect(try await other.byteCount(of: nothing) == nil)
        await #expect(throws: StorageError.missing("\(nothing)")) { _ = try await other.address(of: nothing) }
    }

    /// An object that has other bytes, or is gone, is lost, and can be stored anew under another name.
    @Test(arguments: [true, false])
    func whatIsLostCanBeStoredAgain(isGone: Bool) async throws {
        guard let place = try await makePlace() else { return }
        let data = bytes(100_000)
        let digest = try await place.put(data)
        let object = try await place.object(digest)
        if isGone {
            try await place.bucket.bucket.delete(object.key)
        } else {
            try await place.write(bytes(100_000), over: object)
        }
        #expect(try await place.libraries[1].isIntact(digest) == false)
        #expect(try await place.libraries[1].byteCount(of: digest) == nil)
        await #expect(throws: StorageError.missing("\(digest)")) { _ = try await place.libraries[1].open(digest) }
        _ = try await place.put(data)
        #expect(try await place.object(digest).key != object.key)
        #expect(try await place.libraries[1].isIntact(digest))
    }

    /// A service that does not know the owner either is another one, or has a bad moment: nothing is forgotten.
    @Test func anotherServiceLosesNothing() async throws {
        guard let place = try await makePlace() else { return }
        let digest = try await place.put(bytes(100_000))
        let object = try await place.object(digest)
        for key in [object.key, "farm/owner"] { try await place.bucket.bucket.delete(key) }
        for body in [
            { _ = try await place.libraries[1].open(digest) }, { _ = try await place.libraries[1].readingPart(digest) },
        ]
            as [@Sendable () async throws -> Void]
        {
            let error = await #expect(throws: StorageError.self) { try await body() }
            #expect(error?.code == "bucket_failed")
        }
        #expect(try await place.bucket.object(digest) == object)
        await #expect(throws: StorageError.self) { try await place.bucket.claim(for: "owner", isKnown: true) }
        #expect(try await place.bucket.bucket.list().objects.isEmpty)
    }

    /// A copy that rotted on a coordinator's disk, or was removed to make room, is fetched again; the object stays.
    @Test func aCopyMayRotOrGo() async throws {
        guard let place = try await makePlace() else { return }
        let data = bytes(100_000)
        let digest = try await place.put(data)
        let object = try await place.object(digest)
        let library = place.libraries[1]
        let path = try await library.open(digest).path
        try bytes(100_000).write(to: URL(fileURLWithPath: path))
        #expect(try await library.isIntact(digest))
        #expect(try read(try await library.open(digest)) == data)
        try bytes(100_000).write(to: URL(fileURLWithPath: path))
        let (scratch, paths) = try await library.gather([digest])
        #expect(try Data(contentsOf: URL(fileURLWithPath: paths[0])) == data)
        withExtendedLifetime(scratch) {}
        unlink(path)
        #expect(try read(try await library.open(digest)) == data)
        #expect(try await place.object(digest) == object)
    }

    /// To make room copies go that were not used lately, but none that is pinned: it may be the only one there is.
    @Test func whatIsPinnedStays() async throws {
        guard let place = try await makePlace() else { return }
        let library = place.libraries[0]
        var digests: [ContentDigest] = []
        for _ in 0..<3 { digests.append(try library.folder.put(bytes(1000))) }
        let later = try ArtifactStore(
            root: place.folders[0].path("artifacts"),
            now: { Date(timeIntervalSinceNow: 3600) }
        )
        let pin = try await library.pin(digests[0])
        // Nothing has to go, and nothing that was used within the hour goes.
        #expect(try later.removeLeastUsed(beyond: 3000, freeing: 0, 60) == 0)
        #expect(try library.folder.removeLeastUsed(beyond: 0, freeing: 0, 60) == 0)
        #expect(try later.removeLeastUsed(beyond: 1500, freeing: 0, 60) == 1)
        #expect(digests.count { library.folder.byteCount(of: $0) != nil } == 2)
        withExtendedLifetime(pin) {}
        #expect(try later.removeLeastUsed(beyond: 3000, freeing: 1, 60) == 1)
        #expect(digests.map { library.folder.byteCount(of: $0) } == [1000, nil, nil])
    }

    /// Without room for the file nothing is fetched.
    @Test func aFullDiskFetchesNothing() async throws {
        guard let place = try await makePlace(limit: DiskSpace(free: 50_000, capacity: 1_000_000)) else { return }
        let digest = try await place.put(bytes(100_000))
        await #expect(throws: DiskShortage.self) { _ = try await place.libraries[1].open(digest) }
        #expect(try await place.libraries[1].reader(digest).bytes(at: 0, count: 100_000).readableBytes == 100_000)
    }

    /// What a worker sends is stored only if it is what was ordered.
    @Test func anOrderTakesExactlyItsBytes() async throws {
        guard let place = try await makePlace() else { return }
        let data = bytes(10_000)
        let digest = ContentDigest(of: data)
        #expect(try await place.bucket.comparesDigests())
        let order = place.bucket.order(digest, byteCount: 10_000)
        let headers = order.headers.map { (name: $0.key, value: $0.value) }
        func send(_ data: Data) async throws -> Int {
            try await CurlClient().send(HTTPRequest(.put, order.address, headers: headers, body: .data(data))).status
        }
        #expect(try await place.bucket.stored(order.object, digest, byteCount: 10_000) == nil)
        #expect(try await (400..<500).contains(send(bytes(10_000))))
        #expect(try await place.bucket.stored(order.object, digest, byteCount: 10_000) == nil)
        #expect(try await send(data) == 200)
        #expect(try await place.bucket.stored(order.object, digest, byteCount: 9_999) == nil)
        let object = try #require(try await place.bucket.stored(order.object, digest, byteCount: 10_000))
        // The name of one artifact's object is none of another's.
        let other = ContentDigest(of: Data("other".utf8))
        #expect(try await place.bucket.stored(order.object, other, byteCount: 10_000) == nil)
        try await place.bucket.note(object)
        #expect(try read(try await place.libraries[1].open(digest)) == data)
    }

    /// Objects that nothing refers to, those that nobody noted, and uploads that nobody completed go when their time has come,
    /// and nothing else.
    @Test func theCollectorRemovesWhatNobodyNeeds() async throws {
        guard let place = try await makePlace() else { return }
        let bucket = place.bucket.bucket
        let (kept, unused) = (try await place.put(bytes(100)), try await place.put(bytes(200)))
        let record = AssetRecord(digest: kept, byteCount: 100, blocks: [], facts: nil, frameIndexes: [:])
        try await place.store.putAsset(StoredAsset(record: record, path: nil))
        func key(daysOld days: Double) -> String {
            place.bucket.keys.fresh(for: kept, at: Date(timeIntervalSinceNow: -days * 86_400))
        }
        let (abandoned, recent) = (key(daysOld: 1.1), key(daysOld: 0.9))
        for key in [abandoned, recent, "farm/objects/no-name", "elsewhere"] {
            _ = try await bucket.put(key, .data(Data("x".utf8)))
        }
        let (oldUpload, newUpload) = (key(daysOld: 2), key(daysOld: 0))
        for key in [oldUpload, newUpload] { _ = try await bucket.beginUpload(key) }
        let (keptKey, unusedKey) = (try await place.object(kept).key, try await place.object(unused).key)
        let later = FarmTime(Date(timeIntervalSinceNow: 2 * 3600))
        place.store.setClock(later)
        let clock = TestClock()
        let collector = BucketCollector(
            bucket: place.bucket,
            interval: .seconds(600),
            uploadIdle: .seconds(7 * 86_400),
            clock: clock,
            logger: quietStoreLogger
        )
        let running = Task { try await collector.run() }
        try await clock.waitForSleep(of: .seconds(600))
        clock.advance(by: .seconds(600))
        try await waitUntil { try await place.store.unknownObjects([unusedKey]) == [unusedKey] }
        running.cancel()
        let left = Set(try await bucket.list().objects.map(\.key)).subtracting(["farm/owner"])
        #expect(left == [keptKey, recent, "farm/objects/no-name", "elsewhere"], "not \(unusedKey), \(abandoned)")
        #expect(try await bucket.uploads(below: "farm/").map(\.key) == [newUpload])
        #expect(try await place.store.unwantedObjects(after: nil, limit: 10).isEmpty)
    }
}
