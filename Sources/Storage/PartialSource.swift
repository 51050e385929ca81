package import CompositionModel
import Foundation

// `sources/<hex of the source>.<hex of its entity tag>` holds the bytes of a file elsewhere that came so far, from its first
// byte on. The tag is a part of the name, so that bytes of two states of the file are never mixed.

/// The bytes of a file elsewhere that came so far. They survive the process. One at a time has them; calls block.
package final class PartialSource: Sendable {
    private let store: ArtifactStore
    private let path: String
    private let descriptor: Int32

    /// Takes up what came of a source in one state, or begins it.
    /// - Returns: nil while somebody else has it.
    /// - Throws: ``StorageError`` when the file cannot be opened.
    init?(store: ArtifactStore, path: String) throws(StorageError) {
        (self.store, self.path) = (store, path)
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .current("opened", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The number of bytes that are here.
    package var byteCount: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Forgets the bytes from `byteCount` on.
    /// - Throws: ``StorageError`` when the disk fails.
    package func cut(to byteCount: Int64) throws(StorageError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw .current("cut", path) }
    }

    /// Appends bytes.
    /// - Throws: ``StorageError/noSpace(path:)`` when the disk is full, another ``StorageError`` when writing fails; what was
    ///   written stays.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        let code = bytes.writeAll(to: descriptor, at: off_t(byteCount))
        guard code == 0 else {
            errno = code
            throw .current("written", path)
        }
    }

    /// Hashes all bytes, and makes them durable and visible in the store under their digest. They stay here too, where the file
    /// system has links, until ``ArtifactStore/removePartialSource(_:)``: what fails before they are an asset costs no second
    /// transfer.
    /// - Parameter expected: the digest that they must have; nil takes any.
    /// - Throws: ``StorageError/wrongDigest(expected:found:)`` for other bytes, and nothing is left of them then; another
    ///   ``StorageError``, after which they stay.
    package func commit(
        expecting expected: ContentDigest?
    ) throws(StorageError) -> (hashed: HashedBytes, publication: Publication) {
        let hashed = try FileHasher.hash(descriptor: descriptor, path: path, withBlocks: true)
        guard expected == nil || hashed.digest == expected else {
            unlink(path)
            throw .wrongDigest(expected: expected?.description ?? "", found: hashed.digest.description)
        }
        guard fdatasync(descriptor) == 0 else { throw .current("made durable", path) }
        let second = path + ".whole"
        unlink(second)
        // A rename between two names of one file does nothing (rename(2)): it was stored before.
        defer { unlink(second) }
        return (hashed, try store.publish(link(path, second) == 0 ? second : path, as: hashed.digest))
    }
}

extension ArtifactStore {
    private var sourcesFolder: String { root + "/sources" }

    /// Takes up what came of a source while it had an entity tag; what came of it in other states is forgotten.
    /// - Parameter tag: nil for a file without a tag, of which nothing is taken up.
    /// - Returns: nil while somebody else has it.
    /// - Throws: ``StorageError`` when the file cannot be opened.
    package func partialSource(_ id: ContentDigest, tag: String?) throws(StorageError) -> PartialSource? {
        try ArtifactStore.makeFolder(sourcesFolder)
        let name = "\(id.hex).\(tag.map { ContentDigest(of: Data($0.utf8)).hex } ?? "none")"
        let partial = try PartialSource(store: self, path: "\(sourcesFolder)/\(name)")
        if tag == nil { try partial?.cut(to: 0) }
        for other in partialSources() where other.hasPrefix(id.hex) && other != name {
            _ = ArtifactStore.removeUnheld("\(sourcesFolder)/\(other)")
        }
        return partial
    }

    /// Forgets what came of a source.
    package func removePartialSource(_ id: ContentDigest) {
        for name in partialSources() where name.hasPrefix(id.hex) {
            _ = ArtifactStore.removeUnheld("\(sourcesFolder)/\(name)")
        }
    }

    /// Forgets what came of sources to which no byte came for `seconds`.
    /// - Returns: the number of files removed.
    @discardableResult
    package func removePartialSources(untouchedFor seconds: Int) -> Int {
        let before = Int(now().timeIntervalSince1970) - seconds
        return partialSources().count { name in
            var status = stat()
            let path = "\(sourcesFolder)/\(name)"
            guard lstat(path, &status) == 0, status.st_mtim.tv_sec < before else { return false }
            return ArtifactStore.removeUnheld(path)
        }
    }

    private func partialSources() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: sourcesFolder)) ?? []
    }
}
