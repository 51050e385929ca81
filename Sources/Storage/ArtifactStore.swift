package import CompositionModel
package import Foundation

/// Files by what is in them: `sha256/ab/cd/<hex>` below a root. Once a file is there its bytes never change, so that
/// any number of processes may share the root, and writing the same bytes twice is harmless.
///
/// A large source on the same host need not be copied: ``register(path:hashing:)`` notes where it lies. A hard link was
/// decided against: it would keep the disk space of footage that its owner deleted, and would follow changes in place
/// anyway. Instead the file's identity (device, inode, size, time of change) is noted and compared at every read.
///
/// All calls block: they belong on a thread that may.
package final class ArtifactStore: Sendable {
    /// The absolute path of the store's folder.
    package let root: String
    /// The folder that says which files were hashed before.
    let identities: String
    /// Whether other stores use ``identities`` too.
    let sharesIdentities: Bool
    /// Gives the time with which times of files are compared.
    let now: @Sendable () -> Date

    /// Opens the store, making its folders where they are missing.
    /// - Parameters:
    ///   - identities: the folder that says which files were hashed before, where stores have it in common; nil is a
    ///     folder of the store's own.
    ///   - now: gives the time with which times of files are compared; the system's clock unless a test turns it.
    /// - Throws: ``StorageError`` when the folders below `root` cannot be made.
    package init(
        root: String,
        identities: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(StorageError) {
        self.root = root
        self.identities = identities ?? root + "/identities"
        sharesIdentities = identities != nil
        self.now = now
        for folder in ["sha256", "incoming", "scratch", "identities"] {
            try ArtifactStore.makeFolder(root + "/" + folder)
        }
    }

    // MARK: Writing

    /// Begins to take in bytes.
    /// - Parameter withBlocks: whether every block of ``AssetRecord/blockSize`` bytes is hashed too.
    /// - Throws: ``StorageError`` when no file can be made.
    package func receive(withBlocks: Bool = false) throws(StorageError) -> IncomingFile {
        try IncomingFile(store: self, path: root + "/incoming/" + UUID().uuidString, withBlocks: withBlocks)
    }

    /// Stores bytes that are in memory.
    /// - Returns: their digest.
    /// - Throws: ``StorageError`` when they cannot be written; nothing is left behind then.
    package func put(_ data: Data) throws(StorageError) -> ContentDigest {
        let file = try receive()
        var failure: StorageError?
        data.withUnsafeBytes { bytes in
            do throws(StorageError) { try file.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        return try file.commit().digest
    }

    /// Moves a file that lies in the same file system, such as in a ``ScratchFolder``, into the store.
    /// - Throws: ``StorageError/unreadable(path:cause:)`` when it is no regular file; another ``StorageError`` when it
    ///   cannot be moved. It stays where it is then.
    package func adopt(path: String) throws(StorageError) -> HashedBytes {
        let hashed = try prepare(path: path)
        try publish(path, as: hashed.digest)
        return hashed
    }

    /// Hashes a file and makes it durable: the slow half of ``adopt(path:)``. ``publish(_:as:)`` gives it its name.
    /// - Throws: ``StorageError/unreadable(path:cause:)`` when it is no regular file; another ``StorageError`` when it
    ///   cannot be made durable.
    package func prepare(path: String) throws(StorageError) -> HashedBytes {
        let descriptor = try ArtifactStore.openRegular(path)
        defer { close(descriptor) }
        let hashed = try FileHasher.hash(descriptor: descriptor, path: path, withBlocks: false)
        guard fdatasync(descriptor) == 0 else { throw .current("made durable", path) }
        return hashed
    }

    /// Makes a folder in which each of `digests` has a name of its own, its position, for a render child that is shown
    /// this folder and nothing else of the store. The names are hard links: nothing is copied.
    /// - Parameter verifying: whether every file is read once to see that it is intact.
    /// - Returns: the folder and the paths in order.
    /// - Throws: ``StorageError/missing(_:)``; ``StorageError/wrongDigest(expected:found:)`` for a file that has
    ///   rotted, which is not stored any more then; another ``StorageError`` when the folder cannot be made.
    package func gather(
        _ digests: [ContentDigest],
        verifying: Bool = true
    ) throws(StorageError) -> (folder: ScratchFolder, paths: [String]) {
        let folder = try makeScratchFolder()
        var paths: [String] = []
        for (position, digest) in digests.enumerated() {
            let file = try open(digest)
            if verifying { try verify(file) }
            let path = folder.file("part-\(position)")
            guard Glibc.link(file.path, path) == 0 else { throw .current("linked", path) }
            paths.append(path)
        }
        return (folder, paths)
    }

    /// Makes a folder for unfinished work in the store's file system.
    /// - Throws: ``StorageError`` when it cannot be made.
    package func makeScratchFolder() throws(StorageError) -> ScratchFolder {
        try ScratchFolder(below: root + "/scratch")
    }

    // MARK: Reading

    /// Opens stored bytes, or a registered file.
    /// - Throws: ``StorageError/missing(_:)``; ``StorageError/changed(path:)`` for a registered file that is not what
    ///   it was; another ``StorageError`` when it cannot be opened.
    package func open(_ digest: ContentDigest) throws(StorageError) -> StoredFile {
        let path = objectPath(digest)
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .current("opened", path) }
            return try openReference(digest)
        }
        guard let identity = FileIdentity(descriptor: descriptor) else {
            close(descriptor)
            throw .missing(digest.description)
        }
        return StoredFile(
            digest: digest,
            byteCount: identity.byteCount,
            path: path,
            descriptor: descriptor,
            registered: nil
        )
    }

    /// The number of bytes stored under `digest`; nil when there are none, or a registered file is not what it was.
    package func byteCount(of digest: ContentDigest) -> Int64? {
        try? open(digest).byteCount
    }

    // MARK: Within

    func objectPath(_ digest: ContentDigest) -> String { root + "/" + digest.storePath }

    /// Gives a file that is durable and has this digest (``prepare(path:)``) its name in the store, and makes the name
    /// durable. What was there before is replaced: should it have rotted, it is whole again.
    /// - Returns: what was done, so that it can be taken back.
    /// - Throws: ``StorageError`` when the name cannot be given; the file stays where it is then.
    @discardableResult
    package func publish(_ path: String, as digest: ContentDigest) throws(StorageError) -> Publication {
        let target = objectPath(digest)
        let folder = (target as NSString).deletingLastPathComponent
        try makeObjectFolder(folder)
        let publication = try whilePublishing { () throws(StorageError) in
            let isNew = access(target, F_OK) != 0
            guard rename(path, target) == 0, let identity = FileIdentity(path: target) else {
                throw .current("moved to \(target)", path)
            }
            return Publication(digest: digest, isNew: isNew, identity: identity)
        }
        try ArtifactStore.sync(folder: folder)
        CrashPoint.reached("artifact.published")
        return publication
    }

    func makeObjectFolder(_ folder: String) throws(StorageError) {
        guard access(folder, F_OK) != 0 else { return }
        try ArtifactStore.makeFolder(folder)
        let above = (folder as NSString).deletingLastPathComponent
        try ArtifactStore.sync(folder: above)
        try ArtifactStore.sync(folder: (above as NSString).deletingLastPathComponent)
    }

    static func makeFolder(_ path: String) throws(StorageError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .current("made", path)
        }
    }

    /// A name is durable once its folder is (fsync(2), "Calling fsync() does not necessarily ensure…").
    static func sync(folder: String) throws(StorageError) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .current("opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .current("made durable", folder) }
    }

    /// A link at the end of `path` is not followed, and a pipe or device is refused.
    static func openRegular(_ path: String) throws(StorageError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .unreadable(path: path, cause: String(cString: strerror(errno)))
        }
        guard FileIdentity(descriptor: descriptor) != nil else {
            close(descriptor)
            throw .unreadable(path: path, cause: "it is no regular file")
        }
        return descriptor
    }
}
