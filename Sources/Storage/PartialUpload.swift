import CompositionModel
import Foundation

/// The reason why an upload cannot begin or go on.
package enum UploadRefusal: Error, Sendable, Hashable {
    /// The upload does not stand where the sender takes it to stand; it stands at the offset.
    case offset(Int64)
    /// Somebody else writes to it or completes it at this moment.
    case busy
    /// It was removed, begun anew, or completed meanwhile.
    case gone
    /// The owner has as many unfinished uploads as are allowed.
    case tooMany(limit: Int)
    /// The owner's unfinished uploads would come to more bytes than are allowed.
    case tooManyBytes(limit: Int64)
}

/// An unfinished upload that is open for more bytes. Calls block; one at a time.
///
/// Several may have the same upload open, in any processes: bytes are only ever appended, each time under a lock and only
/// where the file ends as this sender knows it. So whoever falls behind learns that, and what a sender wrote from the first
/// byte to the last is what lies there.
///
///     file    |==============================|.............|
///             0                              offset        byteCount
package final class PartialUpload {
    /// The number of bytes of the whole.
    package let byteCount: Int64
    /// The number of bytes that were here when this sender last looked.
    package private(set) var offset: Int64
    /// Whether ``commit()`` reads the whole file, because some of it came before this was opened.
    package var readsAtCommit: Bool { hasher == nil }
    private let store: ArtifactStore
    private let digest: ContentDigest
    private let path: String
    private let lockPath: String
    private let descriptor: Int32
    /// Of all bytes so far; nil when some came before.
    private var hasher: FileHasher?

    /// Owns `descriptor` from now on.
    init(
        store: ArtifactStore,
        digest: ContentDigest,
        path: String,
        lockPath: String,
        descriptor: Int32,
        byteCount: Int64,
        offset: Int64
    ) {
        (self.store, self.digest, self.path, self.lockPath) = (store, digest, path, lockPath)
        (self.descriptor, self.byteCount, self.offset) = (descriptor, byteCount, offset)
        hasher = offset == 0 ? FileHasher(withBlocks: true) : nil
    }

    deinit { close(descriptor) }

    /// Appends bytes at ``offset``.
    /// - Precondition: They do not go past ``byteCount``.
    /// - Throws: ``UploadRefusal/offset(_:)`` when the upload ends elsewhere, ``UploadRefusal/gone``,
    ///   ``UploadRefusal/busy``; ``StorageError`` when they cannot be written. What was written stays.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        precondition(offset + Int64(bytes.count) <= byteCount, "An upload does not grow past its length.")
        try locked {
            guard isNamed else { throw UploadRefusal.gone }
            try requireOffset(offset)
            let code = bytes.writeAll(to: descriptor, at: off_t(offset))
            guard code == 0 else {
                // A disk that fills up took a part, which is right as far as it goes.
                offset = size
                hasher = nil
                errno = code
                throw StorageError.current("written", path)
            }
            offset += Int64(bytes.count)
            hasher?.update(bytes)
        }
    }

    /// Makes what came so far durable: a crash of the machine takes none of it back.
    /// - Throws: ``StorageError`` when the disk fails.
    package func keep() throws(StorageError) {
        guard fdatasync(descriptor) == 0 else { throw .current("made durable", path) }
    }

    /// Makes the whole visible in the store under its digest. The upload stays, complete, until its owner's
    /// ``OwnerUploads/remove(_:)``: whoever loses the answer while an asset is made of the bytes need not send them again.
    /// - Throws: ``StorageError/wrongDigest(expected:found:)`` for other bytes, and nothing of the upload is left then;
    ///   ``UploadRefusal``; another ``StorageError``, after which the upload stays.
    package func commit() throws -> (hashed: HashedBytes, publication: Publication) {
        try locked {
            guard isNamed else { throw UploadRefusal.gone }
            try requireOffset(byteCount)
            try keep()
            let hashed =
                try hasher?.finalize()
                ?? FileHasher.hash(descriptor: descriptor, path: path, withBlocks: true)
            // Whoever begins the same upload anew takes the name under this lock too.
            let lock = try LockFile(waitingFor: LOCK_EX, at: lockPath)
            defer { withExtendedLifetime(lock) {} }
            guard isNamed else { throw UploadRefusal.gone }
            guard hashed.digest == digest else {
                unlink(path)
                throw StorageError.wrongDigest(expected: "\(digest)", found: "\(hashed.digest)")
            }
            // A file system without hard links gives the file itself.
            let second = path + ".whole"
            unlink(second)
            // A rename between two names of one file does nothing (rename(2)): it was stored before.
            defer { unlink(second) }
            return (hashed, try store.publish(link(path, second) == 0 ? second : path, as: digest))
        }
    }

    /// Another sender holds the lock while it writes, for milliseconds, or while it reads the whole, for minutes.
    private func locked<Value>(_ body: () throws -> Value) throws -> Value {
        var attempts = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StorageError.current("locked", path) }
            guard attempts < 50 else { throw UploadRefusal.busy }
            attempts += 1
            usleep(2000)
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    private func requireOffset(_ expected: Int64) throws(UploadRefusal) {
        let size = size
        guard size == expected else { throw .offset(size) }
    }

    private var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : -1
    }

    /// Whether the name is still this file's.
    private var isNamed: Bool {
        guard let mine = FileIdentity(descriptor: descriptor), let named = FileIdentity(path: path) else {
            return false
        }
        return mine.inode == named.inode && mine.device == named.device
    }
}
