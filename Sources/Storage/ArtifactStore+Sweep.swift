import Foundation

extension ArtifactStore {
    /// Removes what processes that died left behind: whoever is alive holds a lock on its file or folder.
    /// - Returns: the number of files and folders removed.
    @discardableResult
    package func sweep() -> Int {
        removeAbandonedUploads() + ScratchFolder.sweep(below: root + "/scratch")
    }

    private func removeAbandonedUploads() -> Int {
        let folder = root + "/incoming"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { removeIfAbandoned("\(folder)/\($0)") }
    }

    /// Removes a file that nobody holds. Between making a file and locking it passes a moment, so one younger than two
    /// seconds is left alone. The lock is held until the file is gone, so that nobody takes it up meanwhile.
    private func removeIfAbandoned(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var about = stat()
        guard fstat(descriptor, &about) == 0, Int(now().timeIntervalSince1970) - about.st_mtim.tv_sec > 2 else {
            return false
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && unlink(path) == 0
    }
}
