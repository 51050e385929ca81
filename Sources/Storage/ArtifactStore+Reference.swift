package import CompositionModel
import Foundation

// Files that are used where they lie. `<hex>.reference` beside where the object would be says where that is and what
// the file was like when it was hashed; `identities/<identity>` says what was hashed before, so that an unchanged file
// is not read again.
extension ArtifactStore {
    private struct Reference: Codable {
        var path: String
        var identity: FileIdentity
    }

    /// Makes the file at `path` readable under its digest without copying it (``register(_:hashing:)``). A link at the
    /// end of `path` is not followed.
    /// - Parameter always: whether it is hashed also when it is known and looks unchanged.
    /// - Throws: ``StorageError`` as ``register(_:hashing:)``.
    package func register(path: String, hashing always: Bool = false) throws(StorageError) -> HashedBytes {
        let descriptor = try ArtifactStore.openRegular(path)
        defer { close(descriptor) }
        return try register(descriptor, path, hashing: always)
    }

    /// Makes `file` readable under its digest without copying it.
    /// - Parameter always: whether it is hashed also when it is known and looks unchanged.
    /// - Returns: the digests; `blocks` is empty when the file was hashed before and has not changed since.
    /// - Throws: ``StorageError/unreadable(path:cause:)`` for a file that cannot be read;
    ///   ``StorageError/changed(path:)`` when it changed meanwhile; another ``StorageError`` when the registration
    ///   cannot be written.
    package func register(_ file: LocatedFile, hashing always: Bool = false) throws(StorageError) -> HashedBytes {
        let descriptor = try file.open()
        defer { close(descriptor) }
        return try register(descriptor, file.path, hashing: always)
    }

    private func register(
        _ descriptor: Int32,
        _ path: String,
        hashing always: Bool
    ) throws(StorageError) -> HashedBytes {
        guard let before = FileIdentity(descriptor: descriptor) else { throw .changed(path: path) }
        if !always, let digest = known(before) {
            try write(Reference(path: path, identity: before), for: digest)
            return HashedBytes(digest: digest, byteCount: before.byteCount, blocks: [])
        }
        let hashed = try FileHasher.hash(descriptor: descriptor, path: path, withBlocks: true)
        guard FileIdentity(descriptor: descriptor) == before else { throw .changed(path: path) }
        try write(Reference(path: path, identity: before), for: hashed.digest)
        return hashed
    }

    /// Remembers that the file registered under `digest` needs no second hashing. It is called once everything that is
    /// known of the asset is stored for good.
    /// - Throws: ``StorageError`` when it cannot be written.
    package func remember(_ digest: ContentDigest) throws(StorageError) {
        guard let reference = reference(digest) else { return }
        try ArtifactStore.replace(identityPath(reference.identity), with: Data(digest.hex.utf8))
    }

    /// Forgets the digests of files whose registration is gone (collected, disowned). One that is registered meanwhile
    /// may be forgotten too: it is hashed once more. What other stores use is left alone.
    /// - Returns: the number of digests forgotten.
    package func forgetIdentities() -> Int {
        guard !sharesIdentities else { return 0 }
        let folder = identities + "/"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { name in
            // A file that is being written holds no digest yet.
            guard let data = FileManager.default.contents(atPath: folder + name),
                let digest = ContentDigest(hex: String(decoding: data, as: UTF8.self))
            else { return false }
            return access(referencePath(digest), F_OK) != 0 && unlink(folder + name) == 0
        }
    }

    /// The digest of an unchanged file; nil for a file that changed within the last two seconds, since files change
    /// more coarsely than clocks tick.
    private func known(_ identity: FileIdentity) -> ContentDigest? {
        let latest = max(identity.modifiedNanoseconds, identity.changedNanoseconds)
        let age = now().timeIntervalSince1970 * 1_000_000_000 - Double(latest)
        guard age > 2_000_000_000,
            let data = FileManager.default.contents(atPath: identityPath(identity))
        else { return nil }
        return ContentDigest(hex: String(decoding: data, as: UTF8.self))
    }

    func referencePath(_ digest: ContentDigest) -> String { objectPath(digest) + ".reference" }

    func identityPath(_ identity: FileIdentity) -> String { identities + "/" + identity.name }

    /// The identity, at the time of its registration, of the file that is registered under `digest`; nil when none is.
    func registeredIdentity(_ digest: ContentDigest) -> FileIdentity? { reference(digest)?.identity }

    private func reference(_ digest: ContentDigest) -> Reference? {
        guard let data = FileManager.default.contents(atPath: referencePath(digest)) else { return nil }
        return try? JSONDecoder().decode(Reference.self, from: data)
    }

    func openReference(_ digest: ContentDigest) throws(StorageError) -> StoredFile {
        guard let reference = reference(digest) else { throw .missing(digest.description) }
        guard let descriptor = try? ArtifactStore.openRegular(reference.path) else {
            throw .changed(path: reference.path)
        }
        let file = StoredFile(
            digest: digest,
            byteCount: reference.identity.byteCount,
            path: reference.path,
            descriptor: descriptor,
            registered: reference.identity
        )
        guard FileIdentity(descriptor: descriptor) == reference.identity else { throw .changed(path: reference.path) }
        return file
    }

    private func write(_ reference: Reference, for digest: ContentDigest) throws(StorageError) {
        let path = referencePath(digest)
        try makeObjectFolder((path as NSString).deletingLastPathComponent)
        guard let data = try? JSONEncoder().encode(reference) else { throw .current("described", path) }
        try whilePublishing { () throws(StorageError) in try ArtifactStore.replace(path, with: data) }
    }

    static func replace(_ path: String, with data: Data) throws(StorageError) {
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw (error as? CocoaError)?.code == .fileWriteOutOfSpace
                ? .noSpace(path: path) : .system(path: path, doing: "written", code: EIO)
        }
    }
}
