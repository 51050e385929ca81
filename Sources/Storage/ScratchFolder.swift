import Foundation

/// A new folder in the file system of an ``ArtifactStore``, for a render child's files; removed with everything in it
/// when this goes away, or by ``ArtifactStore/sweep()`` when the process died before.
public final class ScratchFolder: Sendable {
    public let path: String
    private let descriptor: Int32

    init(path: String) throws(StorageError) {
        guard mkdir(path, 0o700) == 0 else { throw .current("made", path) }
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { throw .current("locked", path) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
    }

    /// The path of `name` in this folder. Only the last part of `name` counts: a child names files by whole paths, and
    /// is not believed.
    public func file(_ name: String) -> String { path + "/" + ((name as NSString).lastPathComponent) }
}
