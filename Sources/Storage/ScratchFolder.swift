import Foundation

/// A new folder for what is unfinished; removed with everything in it when this goes away, or by
/// ``sweep(below:named:)`` when the process died before.
///
/// A lock on the folder tells that somebody is at it. It goes with the process, however that ends, and holds also
/// between containers that share the disk: their process numbers say nothing, since each has a process 1.
package final class ScratchFolder: Sendable {
    /// The absolute path.
    package let path: String
    private let descriptor: Int32

    /// Makes a folder and locks it.
    /// - Parameters:
    ///   - parent: the folder in which it is made; it must exist.
    ///   - prefix: the beginning of its name, so that a sweep finds it among other things.
    ///   - mode: the permissions of the folder; by default its owner alone may enter.
    /// - Throws: ``StorageError`` when it cannot be made.
    package init(below parent: String, named prefix: String = "", mode: UInt32 = 0o700) throws(StorageError) {
        while true {
            let path = parent + "/" + prefix + UUID().uuidString.lowercased()
            guard mkdir(path, mode) == 0 else { throw .current("made", path) }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if descriptor >= 0, flock(descriptor, LOCK_EX) == 0, access(path, F_OK) == 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            let error = StorageError.current("locked", path)
            let isSwept = access(path, F_OK) != 0
            if descriptor >= 0 { close(descriptor) }
            // Between making and locking it a sweep may have come by: another one is made.
            guard isSwept else {
                rmdir(path)
                throw error
            }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
    }

    /// Whether the folder that this holds still has its name; a cache is sometimes emptied by hand.
    package var isThere: Bool {
        var (held, named) = (stat(), stat())
        guard fstat(descriptor, &held) == 0, stat(path, &named) == 0 else { return false }
        return held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }

    /// The path of `name` in this folder. Only the last part of `name` counts: a child names files by whole paths, and
    /// is not believed.
    package func file(_ name: String) -> String { path + "/" + ((name as NSString).lastPathComponent) }

    /// Removes the folders below `parent` whose name begins with `prefix` and that nobody holds: what processes that
    /// died left behind. It blocks.
    /// - Returns: the number of folders removed.
    @discardableResult
    package static func sweep(below parent: String, named prefix: String = "") -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.count { $0.hasPrefix(prefix) && removeIfAbandoned(parent + "/" + $0) }
    }

    /// Holds the lock while it removes: whoever has just made the folder waits for it, and then finds it gone.
    private static func removeIfAbandoned(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        return (try? FileManager.default.removeItem(atPath: path)) != nil
    }
}
