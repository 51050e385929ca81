import Foundation
import Storage
import Synchronization

/// The folder for a worker's unfinished work, below the cache that other containers may share. It is made again when
/// somebody removed it.
final class WorkFolder: Sendable {
    private static let prefix = "work-"
    private let cache: String
    private let folder: Mutex<ScratchFolder>

    /// Makes the folder, and removes those of workers that were killed.
    /// - Throws: `CocoaError` or `StorageError` when it cannot be made.
    init(in cache: String) throws {
        self.cache = cache
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        ScratchFolder.sweep(below: cache, named: WorkFolder.prefix)
        folder = Mutex(try ScratchFolder(below: cache, named: WorkFolder.prefix))
    }

    /// Removes the folder with everything in it, now: this object may be held for a moment longer, while somebody removes
    /// the cache around it.
    func remove() {
        folder.withLock { try? FileManager.default.removeItem(atPath: $0.path) }
    }

    /// The absolute path of the folder, which is there. It may be another one than before.
    /// - Throws: `CocoaError` or `StorageError` when it cannot be made again.
    func path() throws -> String {
        try folder.withLock { folder in
            if folder.isThere { return folder.path }
            try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
            folder = try ScratchFolder(below: cache, named: WorkFolder.prefix)
            return folder.path
        }
    }
}
