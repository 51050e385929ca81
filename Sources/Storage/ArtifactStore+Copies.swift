import CompositionModel
import Foundation

// A store whose files are copies of what is kept elsewhere may lose any of them.
extension ArtifactStore {
    /// Removes files that have not been used for a while, the least recently used first. Who has one open goes on reading
    /// it. One that has a second name, as those in a ``ScratchFolder`` have, stays: removing it would make no room.
    /// - Parameters:
    ///   - limit: the bytes that may stay.
    ///   - byteCount: the bytes that have to go in any case.
    ///   - seconds: the time since the last use (``StoredFile/noteUse()``) before which a file stays.
    /// - Returns: the number of files removed.
    /// - Throws: ``StorageError`` when the lock cannot be made.
    package func removeLeastUsed(
        beyond limit: Int64,
        freeing byteCount: Int64,
        _ seconds: Int
    ) throws(StorageError) -> Int {
        var files = copies()
        let total = files.reduce(0) { $0 + $1.byteCount }
        var excess = max(total - limit, min(byteCount, total))
        guard excess > 0 else { return 0 }
        files.sort { ($0.used, $0.path) < ($1.used, $1.path) }
        let latest = Int(now().timeIntervalSince1970) - seconds
        var removed = 0
        for file in files where excess > 0 && file.used <= latest {
            let isGone = try whilePublishing { unlink(file.path) == 0 }
            guard isGone else { continue }
            excess -= file.byteCount
            removed += 1
        }
        return removed
    }

    private struct Copy {
        let path: String
        let byteCount: Int64
        /// Seconds since 1970.
        let used: Int
    }

    private func copies() -> [Copy] {
        guard let walk = FileManager.default.enumerator(atPath: root + "/sha256") else { return [] }
        return walk.compactMap { name in
            var about = stat()
            guard let name = name as? String, lstat(root + "/sha256/" + name, &about) == 0,
                about.st_mode & S_IFMT == S_IFREG, about.st_nlink == 1
            else { return nil }
            return Copy(
                path: root + "/sha256/" + name,
                byteCount: Int64(about.st_size),
                used: max(about.st_mtim.tv_sec, about.st_ctim.tv_sec)
            )
        }
    }
}

extension StoredFile {
    /// Notes that the file is used now, for ``ArtifactStore/removeLeastUsed(beyond:freeing:_:)``.
    package func noteUse() { touch() }

    /// Gives the file a second name outside of the store, in the same file system.
    /// - Throws: ``StorageError/missing(_:)`` when its name in the store is gone; another ``StorageError`` when it cannot be
    ///   linked.
    package func link(to path: String) throws(StorageError) {
        guard Glibc.link(self.path, path) != 0 else { return }
        throw errno == ENOENT ? .missing(digest.description) : .current("linked", path)
    }
}
