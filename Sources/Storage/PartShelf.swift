package import CompositionModel
package import Foundation

// Files that outlive the store that made them: `bytes/<hex of the digest>`, which are hard links of artifacts, and
// `entries/<name>.json`, which say of what they are. Whoever puts or takes holds `lock` shared, whoever removes holds
// it alone. An entry is written after its bytes are there and removed before they go, so that a process may be killed
// at any moment.

/// A folder of artifacts by name that several processes share, one after the other or at once: the memory that the runs
/// of `cutfarm render` have in common. Bytes that are lent stay with whoever has them, also when they are removed here.
package struct PartShelf: Sendable {
    /// What is on the shelf under a name.
    package struct Entry: Sendable {
        /// The name.
        package let name: String
        /// What was put beside the bytes.
        package let about: Data
        /// The digest of the bytes.
        package let digest: ContentDigest
        /// The number of the bytes.
        package let byteCount: Int64
        /// The time when it was put or last used.
        package let used: Date
        /// The number of times that it was used.
        package let uses: Int
    }

    private struct Stored: Codable {
        var digest: String
        var about: Data
        /// The number of times that the bytes were used.
        var uses = 0
    }

    private let root: String

    /// Opens the shelf, and makes its folders when they are missing.
    /// - Throws: ``StorageError`` when they cannot be made.
    package init(root: String) throws(StorageError) {
        self.root = root
        for folder in [entries, bytes] { try ArtifactStore.makeFolder(folder) }
    }

    private var entries: String { root + "/entries" }
    private var bytes: String { root + "/bytes" }
    private var lock: String { root + "/lock" }

    private func path(of name: String) -> String { "\(entries)/\(name).json" }

    private func path(of digest: ContentDigest) -> String { "\(bytes)/\(digest.hex)" }

    /// Gives the bytes under `name` to `artifacts`, as one of its own. That they were used, ``noteUses(_:)`` notes.
    /// - Returns: what was put beside them; nil when there is nothing under the name, or the bytes cannot be linked.
    /// - Throws: ``StorageError`` when the lock cannot be had.
    package func lend(_ name: String, to artifacts: ArtifactStore) throws(StorageError) -> Data? {
        let lock = try LockFile(waitingFor: LOCK_SH, at: lock)
        defer { withExtendedLifetime(lock) {} }
        guard let stored = stored(name), let digest = ContentDigest(text: stored.digest),
            (try? artifacts.lend(path(of: digest), as: digest)) != nil
        else { return nil }
        CrashPoint.reached("shelf.lent")
        return stored.about
    }

    /// Notes that what is under names was used now, so many times. Two who do so at once may count as one.
    /// - Throws: ``StorageError`` when the lock cannot be had.
    package func noteUses(_ counts: [String: Int]) throws(StorageError) {
        let lock = try LockFile(waitingFor: LOCK_SH, at: lock)
        defer { withExtendedLifetime(lock) {} }
        for (name, count) in counts {
            guard var stored = stored(name) else { continue }
            stored.uses += count
            if let data = try? JSONEncoder().encode(stored) { try? ArtifactStore.replace(path(of: name), with: data) }
        }
    }

    /// Puts an artifact on the shelf, unless there is one under `name` that can be lent.
    /// - Parameters:
    ///   - name: letters and digits.
    ///   - about: what is to be known of it.
    /// - Throws: ``StorageError`` when the artifact is not stored, or cannot be linked.
    package func put(
        _ digest: ContentDigest,
        of artifacts: ArtifactStore,
        as name: String,
        about: Data
    ) throws(StorageError) {
        let lock = try LockFile(waitingFor: LOCK_SH, at: lock)
        defer { withExtendedLifetime(lock) {} }
        if let known = stored(name).flatMap({ ContentDigest(text: $0.digest) }), access(path(of: known), F_OK) == 0 {
            return
        }
        let target = path(of: digest)
        try artifacts.link(digest, to: target)
        CrashPoint.reached("shelf.linked")
        let stored = Stored(digest: digest.description, about: about)
        guard let data = try? JSONEncoder().encode(stored) else { throw .current("described", target) }
        try ArtifactStore.replace(path(of: name), with: data)
    }

    /// Removes bytes with every entry that names them.
    /// - Throws: ``StorageError`` when the lock cannot be had.
    package func remove(_ digests: Set<ContentDigest>) throws(StorageError) {
        let lock = try LockFile(waitingFor: LOCK_EX, at: lock)
        defer { withExtendedLifetime(lock) {} }
        for entry in all() where digests.contains(entry.digest) { unlink(path(of: entry.name)) }
        for digest in digests { unlink(path(of: digest)) }
    }

    /// The entries, the most recently used first.
    package func list() -> [Entry] { all() }

    /// The bytes that entries have on the disk: those that several entries name count once.
    package static func byteCount(of entries: [Entry]) -> Int64 {
        Dictionary(entries.map { ($0.digest, $0.byteCount) }) { first, _ in first }.values.reduce(0, +)
    }

    /// Removes entries so that the others have no more than `limit` bytes, the least recently used first, and bytes
    /// that no entry names. Entries of equal bytes count once, where the last used of them stands, and go together.
    /// - Parameter unusedSince: removes every entry that was not used since then as well; nil for none.
    /// - Returns: the entries that were removed.
    /// - Throws: ``StorageError`` when the lock cannot be had.
    @discardableResult
    package func prune(to limit: Int64, unusedSince: Date? = nil) throws(StorageError) -> [Entry] {
        let lock = try LockFile(waitingFor: LOCK_EX, at: lock)
        defer { withExtendedLifetime(lock) {} }
        var total: Int64 = 0
        var fitting: [ContentDigest: Bool] = [:]
        var removed: [Entry] = []
        var kept: Set<String> = []
        for entry in all() {
            if fitting[entry.digest] == nil {
                total += entry.byteCount
                fitting[entry.digest] = total <= limit
            }
            if fitting[entry.digest] == false || unusedSince.map({ entry.used < $0 }) ?? false {
                unlink(path(of: entry.name))
                removed.append(entry)
            } else {
                kept.insert(entry.digest.hex)
            }
        }
        CrashPoint.reached("shelf.pruning")
        for file in names(in: entries) where stored((file as NSString).deletingPathExtension) == nil {
            unlink("\(entries)/\(file)")
        }
        for file in names(in: bytes) where !kept.contains(file) { unlink("\(bytes)/\(file)") }
        return removed
    }

    /// Removes the least recently used entries until so many bytes have room on the disk. Bytes that somebody has under a
    /// name of their own stay: the disk keeps them either way.
    /// - Returns: the entries that were removed.
    /// - Throws: ``StorageError`` when the lock cannot be had.
    @discardableResult
    package func makeRoom(for byteCount: Int64) throws(StorageError) -> [Entry] {
        let lock = try LockFile(waitingFor: LOCK_EX, at: lock)
        defer { withExtendedLifetime(lock) {} }
        let entries = all()
        let lastUsed = Dictionary(grouping: entries, by: \.digest).values.sorted { $0[0].used < $1[0].used }
        var (room, removed): (Int64, [Entry]) = (0, [])
        for entries in lastUsed where room < byteCount {
            var about = stat()
            let path = path(of: entries[0].digest)
            guard stat(path, &about) == 0, about.st_nlink == 1 else { continue }
            for entry in entries { unlink(self.path(of: entry.name)) }
            unlink(path)
            room += entries[0].byteCount
            removed += entries
        }
        return removed
    }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private func stored(_ name: String) -> Stored? {
        guard let data = FileManager.default.contents(atPath: path(of: name)) else { return nil }
        return try? JSONDecoder().decode(Stored.self, from: data)
    }

    private func all() -> [Entry] {
        let found = names(in: entries).compactMap { file -> Entry? in
            let name = (file as NSString).deletingPathExtension
            var about = stat()
            guard let stored = stored(name), let digest = ContentDigest(text: stored.digest),
                stat(path(of: name), &about) == 0
            else { return nil }
            let seconds = Double(about.st_mtim.tv_sec) + Double(about.st_mtim.tv_nsec) / 1_000_000_000
            return Entry(
                name: name,
                about: stored.about,
                digest: digest,
                byteCount: FileIdentity(path: path(of: digest))?.byteCount ?? 0,
                used: Date(timeIntervalSince1970: seconds),
                uses: stored.uses
            )
        }
        return found.sorted { $0.used == $1.used ? $0.name < $1.name : $0.used > $1.used }
    }
}

extension ArtifactStore {
    /// Gives stored bytes a further name outside of the store, in the same file system.
    /// - Throws: ``StorageError`` when they cannot be linked.
    package func link(_ digest: ContentDigest, to path: String) throws(StorageError) {
        guard Glibc.link(objectPath(digest), path) == 0 || errno == EEXIST else { throw .current("linked", path) }
    }

    /// Makes the file at `path`, in the same file system, readable here under its digest by a further name. Its bytes
    /// are not read.
    /// - Throws: ``StorageError`` when it is no regular file that can be read, or cannot be linked.
    package func lend(_ path: String, as digest: ContentDigest) throws(StorageError) {
        close(try ArtifactStore.openRegular(path))
        let target = objectPath(digest)
        try makeObjectFolder((target as NSString).deletingLastPathComponent)
        try whilePublishing { () throws(StorageError) in
            guard Glibc.link(path, target) == 0 || errno == EEXIST else { throw .current("linked", target) }
        }
    }
}
