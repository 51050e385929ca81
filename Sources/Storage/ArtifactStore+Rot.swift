package import CompositionModel
import Foundation
package import WireProtocol

// A disk may lose what is stored: bytes flip, a file loses its end. What is found so must not stay under its name, or
// whoever has the right bytes would be told that they are here.
extension ArtifactStore {
    /// Reads all of `file` and disowns it when it has rotted.
    /// - Throws: ``StorageError/wrongDigest(expected:found:)`` for a file that has rotted; another ``StorageError``
    ///   when it cannot be read.
    package func verify(_ file: StoredFile) throws(StorageError) {
        let found = try file.hash()
        guard found != file.digest else { return }
        try disown(file)
        throw .wrongDigest(expected: "\(file.digest)", found: "\(found)")
    }

    /// Takes its name from a file whose bytes are not those of its digest, so that they can be sent again. A file that
    /// is used where it lies is hashed anew when it is registered the next time. Nothing is done when other bytes have
    /// been stored under the name since `file` was opened.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    package func disown(_ file: StoredFile) throws(StorageError) {
        try whilePublishing {
            if let registered = file.registered {
                unlink(identityPath(registered))
                if registeredIdentity(file.digest) == registered { unlink(referencePath(file.digest)) }
            } else if file.lies(at: objectPath(file.digest)) {
                unlink(objectPath(file.digest))
            }
        }
    }

    /// Whether `file` is what is stored under its digest: nobody has removed it since it was opened, or stored other bytes.
    package func stores(_ file: StoredFile) -> Bool {
        guard let registered = file.registered else { return file.lies(at: objectPath(file.digest)) }
        return registeredIdentity(file.digest) == registered
    }

    /// Takes its name from what lies under `digest` and cannot be read as a file: a link, a folder, a file that this
    /// user may not open. Else nobody could ever store the right bytes there. What can be opened stays.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    package func disownUnreadable(_ digest: ContentDigest) throws(StorageError) {
        let path = objectPath(digest)
        try whilePublishing {
            // A regular file: access(2) asks for the user that this process is.
            if FileIdentity(path: path) != nil, access(path, R_OK) == 0 { return }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Whether the bytes of an asset and its frame indexes are here, as far as that is known without reading them.
    package func holds(_ asset: AssetRecord) -> Bool {
        byteCount(of: asset.digest) == asset.byteCount
            && asset.frameIndexes.values.allSatisfy { byteCount(of: $0) != nil }
    }
}

extension ArtifactStore {
    /// Whether the bytes of `digest` are stored as they came. They are read; what has rotted is not stored any more
    /// then.
    /// - Throws: ``StorageError`` when that cannot be told.
    package func isIntact(_ digest: ContentDigest) throws(StorageError) -> Bool {
        do {
            try verify(open(digest))
            return true
        } catch {
            guard error.isLoss else { throw error }
            return false
        }
    }
}

extension StorageError {
    /// Whether stored bytes are gone, or are no longer those that came.
    package var isLoss: Bool {
        switch self {
        case .missing, .wrongDigest: true
        default: false
        }
    }
}
