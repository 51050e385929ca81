import Foundation

extension ArtifactStore {
    /// Removes what processes that died left behind: whoever is alive holds a lock on his file or folder.
    /// - Returns: how many were removed.
    @discardableResult
    public func sweep() -> Int {
        let files = abandoned(in: "incoming")
        for path in files { unlink(path) }
        return files.count + ScratchFolder.sweep(below: root + "/scratch")
    }

    private func abandoned(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
        return names.map { "\(root)/\(folder)/\($0)" }.filter(isAbandoned)
    }

    /// Between making a file and locking it passes a moment: one that is younger than two seconds is left alone.
    private func isAbandoned(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var about = stat()
        guard fstat(descriptor, &about) == 0, time(nil) - about.st_mtim.tv_sec > 2 else { return false }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
