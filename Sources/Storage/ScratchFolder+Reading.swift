package import CompositionModel
import Foundation

extension ScratchFolder {
    /// Opens a finished file of this folder, which stays readable when it is removed.
    /// - Parameter digest: what its entity tag says: of bytes that are the same whenever it is.
    /// - Throws: ``StorageError/missing(_:)`` when it is not there; another ``StorageError`` when it cannot be opened.
    package func openFile(_ name: String, as digest: ContentDigest) throws(StorageError) -> StoredFile {
        let path = file(name)
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .current("opened", path) }
            throw .missing(name)
        }
        guard let identity = FileIdentity(descriptor: descriptor) else {
            close(descriptor)
            throw .missing(name)
        }
        return StoredFile(
            digest: digest,
            byteCount: identity.byteCount,
            path: path,
            descriptor: descriptor,
            registered: nil
        )
    }

    /// Moves a file of the same file system into this folder.
    /// - Returns: its length in bytes; 0 where there is no file at `path`.
    /// - Throws: ``StorageError`` when it cannot be moved.
    package func take(_ path: String, as name: String) throws(StorageError) -> Int64 {
        guard let identity = FileIdentity(path: path) else { return 0 }
        guard rename(path, file(name)) == 0 else { throw .current("moved", path) }
        return identity.byteCount
    }

    /// Removes a file of this folder. Whoever has opened it can still read it.
    package func remove(_ name: String) { unlink(file(name)) }
}
