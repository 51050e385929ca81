package import CompositionModel
import Foundation

// `uploads/<SHA-256 of the owner's name>/<hex digest>.<length>` holds the bytes of an upload that came so far, from its
// first byte on. Nobody else's upload can be named, and the file is worth nothing to anybody until all of it has come and
// has the digest. `lock` beside the files is held while a name appears or goes.

/// The unfinished uploads of one owner. They survive the process, so that a client that was cut off sends the rest.
///
/// All calls block.
package struct OwnerUploads: Sendable {
    /// What one owner may have unfinished at a time.
    package struct Limits: Sendable, Hashable {
        /// The number of uploads.
        package var count: Int
        /// The bytes that all uploads come to when they are complete.
        package var byteCount: Int64
        /// The seconds without a byte after which an upload makes room for another one of the owner's.
        package var secondsUntouched = 600

        /// Makes limits with the default time.
        package init(count: Int, byteCount: Int64) { (self.count, self.byteCount) = (count, byteCount) }
    }

    /// How far an upload got.
    package struct Standing: Sendable, Hashable {
        /// The number of bytes that are here, which is where the upload goes on.
        package let offset: Int64
        /// The number of bytes of the whole.
        package let byteCount: Int64
    }

    /// An upload as its name tells, and its file as it is.
    private struct Entry {
        let path: String
        let byteCount: Int64
        let status: stat
    }

    private let store: ArtifactStore
    private let folder: String

    init(store: ArtifactStore, owner: String) {
        self.store = store
        folder = store.uploadsFolder + "/" + ContentDigest(of: Data(owner.utf8)).hex
    }

    /// How far the owner's upload of `digest` got; nil when there is none.
    package func standing(of digest: ContentDigest) -> Standing? {
        entries().first { $0.path.hasPrefix(prefix(digest)) }
            .map { Standing(offset: Int64($0.status.st_size), byteCount: $0.byteCount) }
    }

    /// Begins an upload from its first byte; what there was of it is forgotten.
    /// - Parameter byteCount: the number of bytes of the whole, at least 0.
    /// - Throws: ``UploadRefusal/tooMany(limit:)`` or ``UploadRefusal/tooManyBytes(limit:)`` when the owner has as much
    ///   unfinished as is allowed, and none of it is old enough to go; ``StorageError`` when no file can be made.
    package func begin(
        _ digest: ContentDigest,
        byteCount: Int64,
        within limits: Limits
    ) throws -> PartialUpload {
        try ArtifactStore.makeFolder(folder)
        return try whileNaming {
            for entry in entries() where entry.path.hasPrefix(prefix(digest)) { unlink(entry.path) }
            try makeRoom(for: byteCount, within: limits)
            let path = prefix(digest) + String(byteCount)
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw StorageError.current("made", path) }
            return upload(digest, path, descriptor, byteCount: byteCount, offset: 0)
        }
    }

    /// Takes an upload up where it stands.
    /// - Returns: nil when the owner has none of this digest.
    /// - Throws: ``StorageError`` when its file cannot be opened.
    package func resume(_ digest: ContentDigest) throws(StorageError) -> PartialUpload? {
        guard let entry = entries().first(where: { $0.path.hasPrefix(prefix(digest)) }) else { return nil }
        let descriptor = open(entry.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .current("opened", entry.path)
        }
        let offset = Int64(lseek(descriptor, 0, SEEK_END))
        return upload(digest, entry.path, descriptor, byteCount: entry.byteCount, offset: offset)
    }

    /// Forgets an upload.
    /// - Returns: whether there was one.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    package func remove(_ digest: ContentDigest) throws -> Bool {
        guard access(folder, F_OK) == 0 else { return false }
        return try whileNaming { entries().count { $0.path.hasPrefix(prefix(digest)) && unlink($0.path) == 0 } > 0 }
    }

    private func prefix(_ digest: ContentDigest) -> String { "\(folder)/\(digest.hex)." }

    private func upload(
        _ digest: ContentDigest,
        _ path: String,
        _ descriptor: Int32,
        byteCount: Int64,
        offset: Int64
    ) -> PartialUpload {
        PartialUpload(
            store: store,
            digest: digest,
            path: path,
            lockPath: folder + "/lock",
            descriptor: descriptor,
            byteCount: byteCount,
            offset: offset
        )
    }

    private func entries() -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            guard name.utf8.count > 65, let byteCount = Int64(name.dropFirst(65)) else { return nil }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { return nil }
            return Entry(path: "\(folder)/\(name)", byteCount: byteCount, status: status)
        }
    }

    /// Lets the owner's uploads go that have not moved for long, the longest first, until another one has room.
    private func makeRoom(for byteCount: Int64, within limits: Limits) throws(UploadRefusal) {
        var kept = entries().sorted { $0.status.st_mtim.tv_sec > $1.status.st_mtim.tv_sec }
        let now = Int(store.now().timeIntervalSince1970)
        func lack() -> UploadRefusal? {
            if kept.count >= limits.count { return .tooMany(limit: limits.count) }
            let rest = kept.reduce(limits.byteCount) { max(-1, $0 - $1.byteCount) }
            return byteCount > rest ? .tooManyBytes(limit: limits.byteCount) : nil
        }
        while let refusal = lack() {
            guard let oldest = kept.popLast(), now - oldest.status.st_mtim.tv_sec > limits.secondsUntouched,
                ArtifactStore.removeUnheld(oldest.path)
            else { throw refusal }
        }
    }

    private func whileNaming<Value>(_ body: () throws -> Value) throws -> Value {
        let lock = try LockFile(waitingFor: LOCK_EX, at: folder + "/lock")
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}

extension ArtifactStore {
    var uploadsFolder: String { root + "/uploads" }

    /// The unfinished uploads of `owner`.
    package func uploads(of owner: String) -> OwnerUploads { OwnerUploads(store: self, owner: owner) }

    /// Removes unfinished uploads, of all owners, to which no byte came for `seconds`, the longest first.
    /// - Parameter byteCount: the number of bytes that are enough; more are not removed.
    /// - Returns: the number of uploads removed.
    @discardableResult
    package func removeUploads(untouchedFor seconds: Int, freeing byteCount: Int64 = .max) -> Int {
        let before = Int(now().timeIntervalSince1970) - seconds
        let old = everyUpload().filter { $0.status.st_mtim.tv_sec < before }
        var (count, freed) = (0, Int64(0))
        for upload in old.sorted(by: { $0.status.st_mtim.tv_sec < $1.status.st_mtim.tv_sec }) where freed < byteCount {
            // Whoever begins the upload anew takes its name under this lock.
            let lock = try? LockFile(waitingFor: LOCK_EX, at: upload.folder + "/lock")
            defer { withExtendedLifetime(lock) {} }
            guard lock != nil, ArtifactStore.removeUnheld("\(upload.folder)/\(upload.name)") else { continue }
            count += 1
            freed += Int64(upload.status.st_blocks) * 512
        }
        return count
    }

    /// The unfinished uploads of all owners: how many there are, and the bytes of them that are here. Blocks.
    package func unfinishedUploads() -> (count: Int, byteCount: Int64) {
        let uploads = everyUpload().filter { !$0.name.hasSuffix(".whole") }
        return (uploads.count, uploads.reduce(0) { $0 + Int64($1.status.st_size) })
    }

    private func everyUpload() -> [(folder: String, name: String, status: stat)] {
        func names(in folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
        return names(in: uploadsFolder).map { "\(uploadsFolder)/\($0)" }.flatMap { folder in
            names(in: folder).filter { $0 != "lock" }.compactMap { name in
                var status = stat()
                return lstat("\(folder)/\(name)", &status) == 0 ? (folder, name, status) : nil
            }
        }
    }

    /// Removes a file on which nobody holds a lock.
    static func removeUnheld(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && unlink(path) == 0
    }
}
