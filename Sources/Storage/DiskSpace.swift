import Foundation

/// The room on a file system.
package struct DiskSpace: Sendable, Hashable {
    /// The bytes that this user may still write.
    package var free: Int64
    /// The bytes of the whole file system.
    package var capacity: Int64

    /// Makes a value; tests make up their own.
    package init(free: Int64, capacity: Int64) {
        self.free = free
        self.capacity = capacity
    }

    /// The room where `folder` lies; nil when that cannot be told, such as for a folder that does not exist.
    package static func of(_ folder: String) -> DiskSpace? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        let block = Int64(status.f_frsize)
        return DiskSpace(free: Int64(status.f_bavail) * block, capacity: Int64(status.f_blocks) * block)
    }

    /// The low-water mark in bytes: 256 MiB, or a 64th of a small file system.
    package var reserve: Int64 { min(256 << 20, capacity / 64) }
}
