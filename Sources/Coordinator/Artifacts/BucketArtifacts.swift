import CompositionModel
import Curl
import Digests
import Farm
import Foundation
import ObjectStorage
import Storage
import WireProtocol

/// A farm's artifacts in a bucket: where each is says the database (``ObjectLedger``).
struct BucketArtifacts: Sendable {
    /// The time for which what is stored or looked up stays although nothing refers to it, in milliseconds. Half of it is
    /// longer than whoever was told so needs until the database refers to it.
    static let keptFor: Int64 = 3_600_000
    /// The time that a signed address holds, in seconds.
    static let addressSeconds = 900
    /// The most bytes that one request stores, by the protocol.
    static let largestPut: Int64 = 5 << 30

    private(set) var bucket: Bucket
    let keys: ObjectKeys
    let ledger: any ObjectLedger
    let now: @Sendable () -> Date

    /// Makes the prefix of the bucket `owner`'s for good, unless it is somebody's: a farm of another database would take
    /// the objects for unused.
    /// - Parameter isKnown: whether the farm has used this place before: then it must have an owner, and what has none is
    ///   another service's bucket of the same name.
    /// - Throws: ``StorageError/foreignBucket(_:)`` when it is another's; ``StorageError/bucket(_:)`` when the service does
    ///   not answer or refuses.
    func claim(for owner: String, isKnown: Bool) async throws {
        if let known = try await claimant() { return try require(known, owner) }
        guard !isKnown else {
            throw StorageError.bucket(
                "there is no object \(keys.owner), as this farm has one; name the service that it uses."
            )
        }
        let bytes = Bucket.Body.data(Data(owner.utf8))
        do throws(BucketError) {
            _ = try await bucket.put(keys.owner, bytes, ifAbsent: true)
        } catch {
            guard error.kind == .noConditions else { throw Self.fault(error) }
            try await bucketing { () throws(BucketError) in _ = try await bucket.put(keys.owner, bytes) }
        }
        // A service may not know the condition. Two farms that begin at once both write there, and the one that wrote first
        // reads the other's name after this pause.
        try await Task.sleep(for: .seconds(2))
        try require(try await claimant() ?? "", owner)
    }

    private func require(_ known: String, _ owner: String) throws(StorageError) {
        guard known == owner else { throw .foreignBucket("s3://\(bucket.location.bucket)/\(keys.prefix)") }
    }

    private func claimant() async throws -> String? {
        do throws(BucketError) {
            return String(decoding: try await bucket.bytes(of: keys.owner, 0..<256), as: UTF8.self)
        } catch {
            guard error.kind == .missing else { throw Self.fault(error) }
            return nil
        }
    }

    /// Whether an object is in the bucket with its length.
    /// - Throws: ``StorageError/bucket(_:)`` when the service does not answer or refuses.
    func isThere(_ object: StoredObject) async throws -> Bool {
        do throws(BucketError) {
            return try await bucket.head(object.key).byteCount == object.byteCount
        } catch {
            guard error.kind == .missing else { throw Self.fault(error) }
            // A service or bucket that is another, or has a bad moment, knows nothing of the owner either.
            guard try await claimant() != nil else { throw StorageError.bucket(error.description) }
            return false
        }
    }

    // MARK: Looking

    /// The object that holds these bytes, which stays long enough to refer to them; nil when there is none.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func object(_ digest: ContentDigest) async throws -> StoredObject? { try await objects([digest])[digest] }

    /// The objects that hold these bytes, as ``object(_:)``.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    func objects(_ digests: [ContentDigest]) async throws -> [ContentDigest: StoredObject] {
        try await ledger.objects(of: digests, keptFor: Self.keptFor)
    }

    // MARK: Storing

    /// Sends a file. Nothing knows of the object until ``note(_:)``; one that is never noted is removed after a day.
    /// - Throws: ``StorageError/bucket(_:)`` when the service does not answer or refuses.
    func send(file path: String, _ digest: ContentDigest, byteCount: Int64) async throws -> StoredObject {
        let object = StoredObject(digest: digest, key: keys.fresh(for: digest, at: now()), byteCount: byteCount)
        try await bucketing { () throws(BucketError) in
            _ = try await bucket.store(file: path, byteCount: byteCount, as: object.key)
        }
        return object
    }

    /// Makes an object the one that holds its bytes, unless there is one already.
    /// - Returns: whether there is one now; else the object is about to be removed.
    /// - Throws: ``FarmStoreError`` when the database does not answer.
    @discardableResult
    func note(_ object: StoredObject) async throws -> Bool {
        try await ledger.note(object, keptFor: Self.keptFor) != nil
    }

    // MARK: Reading

    /// Bytes of an object.
    /// - Throws: ``StorageError/missing(_:)`` when the object is gone, which is noted; ``StorageError/bucket(_:)`` when the
    ///   service does not answer or refuses.
    func bytes(_ range: Range<Int64>, of object: StoredObject) async throws -> Data {
        guard !range.isEmpty else { return Data() }
        do throws(BucketError) {
            return try await bucket.bytes(of: object.key, range)
        } catch {
            throw try await loss(error, of: object)
        }
    }

    /// Writes the bytes of an object into a store and hashes them.
    /// - Throws: ``StorageError/missing(_:)`` when the object is gone and ``StorageError/wrongDigest(expected:found:)`` when
    ///   it has other bytes, both of which are noted; ``StorageError/bucket(_:)`` when the service does not answer or
    ///   refuses; another ``StorageError`` when the bytes cannot be written.
    func fetch(_ object: StoredObject, into store: ArtifactStore) async throws {
        guard try await isThere(object) else {
            try await ledger.forget(object)
            throw StorageError.missing("\(object.digest)")
        }
        do {
            try await transfer(object, into: store)
        } catch let error as StorageError where error.isLoss {
            // A bit may flip on the way, too. An object that is wrong twice is.
            do {
                try await transfer(object, into: store)
            } catch let error as StorageError where error.isLoss {
                try await ledger.forget(object)
                throw error
            }
        }
    }

    private func transfer(_ object: StoredObject, into store: ArtifactStore) async throws {
        let arrival = try await blocking { Arrival(try store.receive()) }
        // A transfer that was cut goes on where it was. An object never changes: its name is not used twice.
        var cuts = 0
        while arrival.byteCount < object.byteCount {
            let before = arrival.byteCount
            do throws(BucketError) {
                try await bucket.get(object.key, before..<object.byteCount) { try arrival.write($0) }
            } catch {
                if let fault = arrival.fault { throw fault }
                guard error.kind == .unreachable, arrival.byteCount > before || cuts < 5 else {
                    throw try await loss(error, of: object)
                }
                cuts += 1
            }
            // An answer that ends early without an error.
            if arrival.byteCount == before { cuts += 1 }
            if cuts > 20 { throw StorageError.bucket("reading \(object.key): the service sends too few bytes.") }
        }
        try await blocking { try arrival.commit(expecting: object.digest) }
    }

    private func loss(_ error: BucketError, of object: StoredObject) async throws -> any Error {
        guard error.kind == .missing, try await !isThere(object) else { return Self.fault(error) }
        try await ledger.forget(object)
        return StorageError.missing("\(object.digest)")
    }

    /// The error of a request that failed for another reason than a missing object.
    private static func fault(_ error: BucketError) -> any Error {
        error.kind == .cancelled ? CancellationError() : StorageError.bucket(error.description)
    }

    // MARK: Uploads in parts

    /// Begins an upload in parts under a fresh name.
    /// - Throws: ``StorageError/bucket(_:)`` when the service does not answer or refuses.
    func beginUpload(_ digest: ContentDigest) async throws -> MultipartUpload {
        let key = keys.fresh(for: digest, at: now())
        return try await bucketing { () throws(BucketError) in try await bucket.beginUpload(key) }
    }

    /// The parts that arrived with their whole length, ascending; nil for an upload that the service does not know.
    /// - Throws: ``StorageError/bucket(_:)`` when the service does not answer or refuses.
    func parts(of upload: BucketUpload) async throws -> [UploadedPart]? {
        let ranges = upload.sizes.ranges
        do throws(BucketError) {
            return try await bucket.parts(of: upload.upload).filter { part in
                guard ranges.indices.contains(part.number - 1) else { return false }
                let range = ranges[part.number - 1]
                return part.byteCount == range.upperBound - range.lowerBound
            }
        } catch {
            guard error.kind == .missing else { throw Self.fault(error) }
            return nil
        }
    }

    /// Makes an object of its parts. An upload that is not known any more is no error: ask for the object.
    /// - Throws: ``StorageError/bucket(_:)`` when the service does not answer or refuses.
    func complete(_ upload: MultipartUpload, _ parts: [UploadedPart]) async throws {
        do throws(BucketError) {
            _ = try await bucket.complete(upload, parts)
        } catch {
            guard error.kind == .missing else { throw Self.fault(error) }
        }
    }

    /// Gives an upload up.
    /// - Throws: ``StorageError/bucket(_:)`` when the service does not answer or refuses.
    func abort(_ upload: MultipartUpload) async throws {
        try await bucketing { () throws(BucketError) in try await bucket.abort(upload) }
    }

    // MARK: Signed requests

    /// The address at which anybody may read an object for ``addressSeconds``.
    func address(of object: StoredObject) -> String {
        bucket.signedAddress(.get, object.key, seconds: Self.addressSeconds)
    }

    /// The request with which a worker stores exactly these bytes: the service compares them with the digest that is signed.
    func order(_ digest: ContentDigest, byteCount: Int64) -> UploadOrder {
        let key = keys.fresh(for: digest, at: now())
        let signed = bucket.signedPut(key, of: digest.hex)
        let headers = Dictionary(signed.headers.map { ($0.name, $0.value) }) { _, last in last }
        return UploadOrder(object: key, address: signed.address, headers: headers)
    }

    /// The request that sends exactly these bytes as a part of an upload.
    func order(_ number: Int, of upload: MultipartUpload, _ part: ContentDigest, byteCount: Int64) -> UploadOrder {
        let signed = bucket.signedPart(number, of: upload, part.hex, byteCount: byteCount)
        let headers = Dictionary(signed.headers.map { ($0.name, $0.value) }) { _, last in last }
        return UploadOrder(object: upload.key, address: signed.address, headers: headers)
    }

    /// The time after which an order counts for nothing: longer than its signature is good, and much shorter than objects
    /// without a row stay.
    private static let orderLifetime: TimeInterval = 43_200

    /// The object that a worker says it stored, if it is there and has this length; else nil.
    /// - Throws: ``StorageError/bucket(_:)`` when the service does not answer or refuses.
    func stored(_ key: String, _ digest: ContentDigest, byteCount: Int64) async throws -> StoredObject? {
        guard keys.isKey(key, of: digest) else { return nil }
        guard let made = keys.made(key), made > now().addingTimeInterval(-Self.orderLifetime) else { return nil }
        do throws(BucketError) {
            let facts = try await bucket.head(key)
            return facts.byteCount == byteCount ? StoredObject(digest: digest, key: key, byteCount: byteCount) : nil
        } catch {
            guard error.kind == .missing else { throw Self.fault(error) }
            return nil
        }
    }

    /// Whether the service refuses bytes that do not have the digest which is signed: only then may others than a
    /// coordinator store them.
    /// - Throws: ``StorageError/bucket(_:)`` when the service does not answer.
    func comparesDigests() async throws -> Bool {
        let digest = SHA256.hash(Data("bytes".utf8)).hex
        // Keys that may store nothing prove nothing by a refusal.
        try await bucketing { () throws(BucketError) in
            try await bucket.put(keys.trial, Data("bytes".utf8), signedAs: digest)
        }
        var compares = false
        do throws(BucketError) {
            try await bucket.put(keys.trial, Data("other bytes".utf8), signedAs: digest)
        } catch {
            if error.isTransient || error.kind == .cancelled { throw Self.fault(error) }
            compares = ["SHA256Mismatch", "BadDigest"].contains { error.description.contains($0) }
        }
        try await bucketing { () throws(BucketError) in try await bucket.delete(keys.trial) }
        return compares
    }

    /// Whether the service answers; what it says of the object that names the owner is asked for once.
    /// - Throws: ``StorageError/bucket(_:)`` when it does not, or refuses.
    func requireAnswer() async throws {
        // Whoever asks whether the coordinator is ready waits a few seconds.
        let once = trying(1, stallTimeout: .seconds(3)).bucket
        try await bucketing { () throws(BucketError) in _ = try await once.head(keys.owner) }
    }

    /// The same for whoever waits for an answer of the coordinator: a request is tried three times, and has failed after
    /// eight seconds without a byte.
    var failingFast: BucketArtifacts { trying(3, stallTimeout: .seconds(8)) }

    private func trying(_ attempts: Int, stallTimeout: Duration) -> BucketArtifacts {
        var artifacts = self
        artifacts.bucket.retrying = RetrySchedule(
            firstPause: .milliseconds(200),
            longestPause: .seconds(1),
            attempts: attempts
        )
        artifacts.bucket.stallTimeout = stallTimeout
        return artifacts
    }

    private func bucketing<Value>(_ body: () async throws(BucketError) -> Value) async throws -> Value {
        do throws(BucketError) { return try await body() } catch { throw Self.fault(error) }
    }
}

/// An ``IncomingFile`` that the bytes of an object are written to, one piece after the other.
private final class Arrival: @unchecked Sendable {
    private let file: IncomingFile
    private(set) var byteCount: Int64 = 0
    /// Why the bytes could not be written.
    private(set) var fault: StorageError?

    init(_ file: sending IncomingFile) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        do throws(StorageError) { try file.write(bytes) } catch {
            fault = error
            throw error
        }
        byteCount += Int64(bytes.count)
    }

    func commit(expecting digest: ContentDigest) throws(StorageError) { _ = try file.commit(expecting: digest) }
}
