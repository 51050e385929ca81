package import CompositionModel
import Foundation

// What nothing refers to any more is collected. Only the database knows what is referred to, so that two locks keep it
// and the files in step:
//
// - `collection.lock`: shared by whoever checks that bytes are here and then makes the database refer to them,
//   exclusive for whoever asks the database what nothing refers to and then removes that.
// - `publishing.lock`: for the moment in which a name appears or goes.

/// Keeps the store's bytes from being collected while it lives; the collector's own keeps the database from referring
/// to bytes anew.
package final class ArtifactHold: Sendable {
    private let lock: LockFile

    init(_ lock: LockFile) { self.lock = lock }
}

/// The fact that a file was given its name in the store.
package struct Publication: Sendable {
    /// The digest that is the file's name.
    package let digest: ContentDigest
    /// Whether nothing was stored under this digest before.
    package let isNew: Bool
    /// The identity of the file under its name.
    let identity: FileIdentity
}

extension ArtifactStore {
    /// Takes a hold on the store.
    /// - Returns: nil while bytes are being collected: the caller tries again in a moment.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    package func hold() throws(StorageError) -> ArtifactHold? { try hold(LOCK_SH) }

    /// Takes the collector's hold.
    /// - Returns: nil while anybody holds the store.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    package func holdForCollecting() throws(StorageError) -> ArtifactHold? { try hold(LOCK_EX) }

    private func hold(_ operation: Int32) throws(StorageError) -> ArtifactHold? {
        try LockFile(trying: operation, at: root + "/collection.lock").map(ArtifactHold.init)
    }

    /// Makes the folder `owner`'s for good, unless it is somebody's: what another database refers to must not be taken
    /// for unused. A coordinator claims the store before it does anything else with it.
    /// - Throws: ``StorageError/foreign(root:)`` when it is another's; another ``StorageError`` when the claim cannot
    ///   be written.
    package func claim(for owner: String) throws(StorageError) {
        let path = root + "/owner"
        try whilePublishing { () throws(StorageError) in
            if let known = FileManager.default.contents(atPath: path), !known.isEmpty {
                guard known == Data(owner.utf8) else { throw .foreign(root: root) }
                return
            }
            try ArtifactStore.replace(path, with: Data(owner.utf8))
        }
    }

    /// The names of the folders that ``settled(in:for:)`` looks through, one after the other.
    package func shelves() -> [String] { names(in: root + "/sha256") }

    /// The digests stored on `shelf` that have not changed for `seconds`, in ascending order.
    package func settled(in shelf: String, for seconds: Int) -> [ContentDigest] {
        let folders = names(in: "\(root)/sha256/\(shelf)").map { "\(root)/sha256/\(shelf)/\($0)" }
        let digests = folders.flatMap(names).compactMap { ContentDigest(hex: String($0.prefix(64))) }
        return Set(digests).filter { isSettled($0, for: seconds) }.sorted { $0.hex < $1.hex }
    }

    /// Removes those of `digests` that have not changed for `seconds`. Registered files themselves are left alone.
    /// - Parameter hold: the collector's hold, taken before the database was asked.
    /// - Returns: the number of artifacts removed.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    package func collect(
        _ digests: [ContentDigest],
        unchangedFor seconds: Int,
        _ hold: ArtifactHold
    ) throws(StorageError) -> Int {
        var count = 0
        for digest in digests {
            try whilePublishing {
                guard isSettled(digest, for: seconds) else { return }
                remove(digest)
                count += 1
            }
        }
        return count
    }

    /// Undoes a publication if the file is still the one it was, and nothing was there before it.
    /// - Parameter hold: the collector's hold, taken before the database was asked.
    /// - Returns: whether the file was removed.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    package func takeBack(_ publication: Publication, _ hold: ArtifactHold) throws(StorageError) -> Bool {
        guard publication.isNew else { return false }
        let path = objectPath(publication.digest)
        return try whilePublishing { FileIdentity(path: path) == publication.identity && unlink(path) == 0 }
    }

    /// Runs `body` while no other process gives or takes names.
    func whilePublishing<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        let lock = try LockFile(waitingFor: LOCK_EX, at: root + "/publishing.lock")
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    private func remove(_ digest: ContentDigest) {
        unlink(objectPath(digest))
        unlink(referencePath(digest))
    }

    /// Whether neither the bytes nor the names of the file changed for `seconds`. A rename counts as a change, and its
    /// time cannot be set back.
    private func isSettled(_ digest: ContentDigest, for seconds: Int) -> Bool {
        let changes = [objectPath(digest), referencePath(digest)].compactMap { path -> Int? in
            var about = stat()
            return lstat(path, &about) == 0 ? max(about.st_mtim.tv_sec, about.st_ctim.tv_sec) : nil
        }
        guard let latest = changes.max() else { return false }
        return Int(now().timeIntervalSince1970.rounded(.down)) - latest >= seconds
    }

    private func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
