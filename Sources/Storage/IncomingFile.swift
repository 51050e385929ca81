package import CompositionModel
import Foundation

/// Bytes on their way into an ``ArtifactStore``: they are written to a file of their own and hashed meanwhile, and
/// appear in the store at ``commit(expecting:)`` or not at all. Calls block; one at a time.
package final class IncomingFile {
    private let store: ArtifactStore
    private let path: String
    private var descriptor: Int32
    private var hasher: FileHasher
    /// The publication that ``commit(expecting:)`` made; nil before.
    package private(set) var publication: Publication?

    /// The lock on the file says that somebody is at it; it goes with the descriptor, also when the process dies.
    init(store: ArtifactStore, path: String, withBlocks: Bool) throws(StorageError) {
        self.store = store
        self.path = path
        hasher = FileHasher(withBlocks: withBlocks)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .current("made", path) }
        guard flock(descriptor, LOCK_EX) == 0 else {
            let error = StorageError.current("locked", path)
            discard()
            throw error
        }
    }

    deinit { discard() }

    /// Appends bytes.
    /// - Throws: ``StorageError/noSpace(path:)`` when the disk is full, another ``StorageError`` when writing fails;
    ///   nothing is left behind then.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        hasher.update(bytes)
        let code = bytes.writeAll(to: descriptor)
        guard code == 0 else {
            errno = code
            throw failed("written")
        }
    }

    /// Makes the bytes durable and visible under their digest. When it returns, a crash of the machine cannot lose
    /// them.
    /// - Parameter expected: the digest that the bytes must have; nil takes any.
    /// - Throws: ``StorageError/wrongDigest(expected:found:)`` for other bytes; another ``StorageError`` when they
    ///   cannot be made durable. Nothing is left behind then.
    package func commit(expecting expected: ContentDigest? = nil) throws(StorageError) -> HashedBytes {
        let hashed = hasher.finalize()
        guard expected == nil || hashed.digest == expected else {
            discard()
            throw .wrongDigest(expected: expected?.description ?? "", found: hashed.digest.description)
        }
        guard fdatasync(descriptor) == 0 else { throw failed("made durable") }
        do {
            publication = try store.publish(path, as: hashed.digest)
        } catch {
            discard()
            throw error
        }
        close(descriptor)
        descriptor = -1
        return hashed
    }

    private func failed(_ operation: String) -> StorageError {
        let error = StorageError.current(operation, path)
        discard()
        return error
    }

    /// Forgets everything that came. Nothing is done after a commit.
    package func discard() {
        guard descriptor >= 0 else { return }
        unlink(path)
        close(descriptor)
        descriptor = -1
    }
}
