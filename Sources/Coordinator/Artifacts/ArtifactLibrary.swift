import CompositionModel
import Foundation
import Storage
import WireProtocol

/// A farm's artifacts, by their digests.
///
/// Without a bucket they are files of a folder that all coordinators have in common, and locks keep collecting and referring
/// apart. With a bucket they are its objects, and the folder is this coordinator's own: what it works on lies there for a
/// while, and may be removed at any time.
struct ArtifactLibrary: Sendable {
    /// The folder.
    let folder: ArtifactStore
    /// The bucket; nil where the folder keeps the artifacts.
    let bucket: BucketArtifacts?
    private let fetches = SharedFetches()
    private let space: SpaceWatch

    init(folder: ArtifactStore, bucket: BucketArtifacts?, space: SpaceWatch) {
        (self.folder, self.bucket, self.space) = (folder, bucket, space)
    }

    // MARK: Looking

    /// Runs `body`, during which nothing is collected: what it finds here stays until the database refers to it.
    /// - Throws: ``StorageError`` when the lock cannot be made; what `body` throws.
    func holding<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        // What is looked up in the bucket stays for a while by itself.
        if bucket != nil { return try await body() }
        while true {
            if let hold = try await blocking({ [folder] in try folder.hold() }) {
                defer { withExtendedLifetime(hold) {} }
                return try await body()
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The number of bytes stored under `digest`; nil when there are none, or a registered file is not what it was.
    /// - Throws: `FarmStoreError` when the database does not answer.
    func byteCount(of digest: ContentDigest) async throws -> Int64? {
        if let bucket { return try await bucket.object(digest)?.byteCount }
        return try await blocking { [folder] in folder.byteCount(of: digest) }
    }

    /// The bytes that all of `digests` have together, without those that are not here.
    /// - Throws: `FarmStoreError` when the database does not answer.
    func totalByteCount(of digests: [ContentDigest]) async throws -> Int64 {
        if let bucket {
            let objects = try await bucket.objects(digests)
            return digests.reduce(0) { $0 + (objects[$1]?.byteCount ?? 0) }
        }
        return try await blocking { [folder] in digests.reduce(0) { $0 + (folder.byteCount(of: $1) ?? 0) } }
    }

    /// Whether the bytes of an asset and its frame indexes are here, as far as that is known without reading them.
    /// - Throws: `FarmStoreError` when the database does not answer.
    func holds(_ asset: AssetRecord) async throws -> Bool {
        guard let bucket else { return try await blocking { [folder] in folder.holds(asset) } }
        let objects = try await bucket.objects([asset.digest] + asset.frameIndexes.values)
        return objects[asset.digest]?.byteCount == asset.byteCount
            && asset.frameIndexes.values.allSatisfy { objects[$0] != nil }
    }

    // MARK: Reading

    /// Opens stored bytes as a file, which is fetched where it must be.
    /// - Throws: ``StorageError``; `FarmStoreError` when the database does not answer; ``DiskShortage`` when there is no
    ///   room for the file.
    func open(_ digest: ContentDigest) async throws -> StoredFile {
        guard let bucket else { return try await blocking { [folder] in try folder.open(digest) } }
        while true {
            if let file = try await local(digest) { return file }
            try await fetch(digest, from: bucket)
        }
    }

    /// Opens stored bytes for reading by ranges: where they lie, without fetching the whole.
    /// - Throws: as ``open(_:)``.
    func reader(_ digest: ContentDigest) async throws -> ArtifactReader {
        guard let bucket else { return .file(try await blocking { [folder] in try folder.open(digest) }) }
        if let file = try await local(digest) { return .file(file) }
        return .object(try await requireObject(digest, bucket), bucket)
    }

    /// The address at which anybody may read these bytes for a quarter of an hour; nil where there is no bucket.
    /// - Throws: ``StorageError/missing(_:)``; `FarmStoreError` when the database does not answer.
    func address(of digest: ContentDigest) async throws -> String? {
        guard let bucket else { return nil }
        return bucket.address(of: try await requireObject(digest, bucket))
    }

    /// Whether the bytes of `digest` are stored as they came. They are read; what has rotted is not stored any more then.
    /// - Throws: as ``open(_:)``.
    func isIntact(_ digest: ContentDigest) async throws -> Bool {
        guard let bucket else { return try await readingWhole { [folder] in try folder.isIntact(digest) } }
        do {
            _ = try await requireObject(digest, bucket)
            let file = try await open(digest)
            do {
                try await readingWhole { [folder] in try folder.verify(file) }
            } catch StorageError.wrongDigest {
                // The copy on this disk rotted, which says nothing about the object.
                _ = try await open(digest)
            }
            return true
        } catch let error as StorageError where error.isLoss {
            return false
        }
    }

    /// The bytes of `digest` as far as they can be counted on: files of the folder are read, and of an object the service
    /// is asked; its bytes are compared when they are used.
    /// - Returns: nil for bytes that are gone, or have rotted, which are not stored any more then.
    /// - Throws: as ``open(_:)``.
    func readingPart(_ digest: ContentDigest) async throws -> ArtifactReader? {
        guard let bucket else {
            do {
                return .file(
                    try await readingParts { [folder] in
                        let file = try folder.open(digest)
                        try folder.verify(file)
                        return file
                    }
                )
            } catch let error as StorageError where error.isLoss {
                return nil
            }
        }
        guard let object = try await bucket.object(digest) else { return nil }
        if try await bucket.isThere(object) { return .object(object, bucket) }
        try await bucket.ledger.forget(object)
        return nil
    }

    /// Whether bytes that were found are still those that are stored under their digest. What is in a bucket stays for a
    /// while by itself.
    func hasStill(_ read: ArtifactReader) async throws -> Bool {
        guard case .file(let file) = read else { return true }
        return try await blocking { [folder] in folder.stores(file) }
    }

    /// Makes a folder in which each of `digests` has a name of its own (``ArtifactStore/gather(_:verifying:)``).
    /// - Throws: as ``open(_:)``; ``StorageError/wrongDigest(expected:found:)`` for a file that has rotted, which is not
    ///   stored any more then.
    func gather(
        _ digests: [ContentDigest],
        verifying: Bool = true
    ) async throws -> (folder: ScratchFolder, paths: [String]) {
        guard bucket != nil else { return try await link(digests, verifying) }
        let scratch = try await blocking { [folder] in try folder.makeScratchFolder() }
        let paths = digests.indices.map { scratch.file("part-\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, digest) in digests.enumerated() {
                if place >= 4 { try await group.next() }
                group.addTask { try await copy(digest, to: paths[place], verifying) }
            }
            try await group.waitForAll()
        }
        return (scratch, paths)
    }

    /// Gives a copy a second name, which keeps it, as soon as it is there.
    private func copy(_ digest: ContentDigest, to path: String, _ verifying: Bool) async throws {
        var attempts = 0
        while true {
            let file = try await open(digest)
            do {
                return try await onThread(verifying) { [folder] in
                    if verifying { try folder.verify(file) }
                    try file.link(to: path)
                }
            } catch let error as StorageError where error.isLoss && attempts < 3 {
                // A copy on this disk was removed to make room, or has rotted. That the object itself is lost, opening says.
                attempts += 1
            }
        }
    }

    // MARK: Keeping

    /// Keeps what is in the folder for good: sends it to the bucket, where there is one and it is not there already.
    /// - Throws: ``StorageError`` when it is not in the folder or the service does not answer; `FarmStoreError` when the
    ///   database does not answer.
    func keep(_ digest: ContentDigest) async throws {
        guard let bucket else { return }
        if let object = try await bucket.object(digest) {
            if try await bucket.isThere(object) { return }
            try await bucket.ledger.forget(object)
        }
        // A second name keeps the file while it is sent.
        let (scratch, paths) = try await blocking { [folder] in try folder.gather([digest], verifying: false) }
        defer { withExtendedLifetime(scratch) {} }
        let file = try await blocking { [folder] in try folder.open(digest) }
        try await bucket.note(try await bucket.send(file: paths[0], digest, byteCount: file.byteCount))
    }

    /// Keeps the copy in the folder as long as the result lives: what is not in the bucket yet must not go to make room.
    /// - Returns: nil where the folder keeps the artifacts itself.
    /// - Throws: ``StorageError`` when it is not in the folder.
    func pin(_ digest: ContentDigest) async throws -> ScratchFolder? {
        guard bucket != nil else { return nil }
        return try await link([digest], false).folder
    }

    /// Takes its name from what has rotted (``ArtifactStore/disown(_:)``), so that the bytes can be sent again.
    /// - Throws: ``StorageError`` when the lock cannot be made; `FarmStoreError` when the database does not answer.
    func disown(_ reader: ArtifactReader) async throws {
        switch reader {
        case .file(let file): try await blocking { [folder] in try folder.disown(file) }
        case .object(let object, let bucket): try await bucket.ledger.forget(object)
        }
    }

    /// Removes copies, where the folder has copies, until so many bytes have room beside what is kept free.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    func makeRoom(for byteCount: Int64) async throws {
        guard bucket != nil, let shortage = space.shortage(for: byteCount) else { return }
        _ = try await blocking { [folder] in
            try folder.removeLeastUsed(beyond: .max, freeing: shortage.needed - shortage.free, 0)
        }
    }

    // MARK: Within

    /// The copy in this coordinator's folder; nil when there is none. That it was used is noted for the
    /// ``ScratchKeeper``.
    private func local(_ digest: ContentDigest) async throws -> StoredFile? {
        try await blocking { [folder] in
            do throws(StorageError) {
                let file = try folder.open(digest)
                file.noteUse()
                return file
            } catch {
                guard case .missing = error else { throw error }
                return nil
            }
        }
    }

    /// Reading is for the threads that may take hours, linking for those that may not.
    private func link(
        _ digests: [ContentDigest],
        _ verifying: Bool
    ) async throws -> (folder: ScratchFolder, paths: [String]) {
        try await onThread(verifying) { [folder] in try folder.gather(digests, verifying: verifying) }
    }

    private func onThread<Value: Sendable>(
        _ isReading: Bool,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await isReading ? readingWhole(work) : blocking(work)
    }

    private func requireObject(_ digest: ContentDigest, _ bucket: BucketArtifacts) async throws -> StoredObject {
        guard let object = try await bucket.object(digest) else { throw StorageError.missing("\(digest)") }
        return object
    }

    private func fetch(_ digest: ContentDigest, from bucket: BucketArtifacts) async throws {
        let object = try await requireObject(digest, bucket)
        try await makeRoom(for: object.byteCount)
        if let shortage = space.shortageWithinReserve(for: object.byteCount) { throw shortage }
        try await fetches.run(digest) { [folder] in try await bucket.fetch(object, into: folder) }
    }
}

/// Fetches that are under way, so that one is enough for all who want the same.
private actor SharedFetches {
    private struct Running {
        let id: Int
        let task: Task<Void, any Error>
        var waiters = 0
    }

    private var running: [ContentDigest: Running] = [:]
    private var count = 0

    /// Runs `fetch`, or waits for the one of the same digest that runs. It is cancelled once all who wait for it are.
    func run(_ digest: ContentDigest, _ fetch: @escaping @Sendable () async throws -> Void) async throws {
        try Task.checkCancellation()
        if running[digest] == nil {
            count += 1
            running[digest] = Running(id: count, task: Task { try await fetch() })
        }
        guard let own = running[digest] else { return }
        running[digest]?.waiters += 1
        defer { if running[digest]?.id == own.id { running[digest] = nil } }
        try await withTaskCancellationHandler {
            try await own.task.value
        } onCancel: {
            Task { await leave(digest, own.id) }
        }
    }

    private func leave(_ digest: ContentDigest, _ id: Int) {
        guard running[digest]?.id == id else { return }
        running[digest]?.waiters -= 1
        if running[digest]?.waiters == 0 { running[digest]?.task.cancel() }
    }
}
