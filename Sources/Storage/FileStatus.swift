import Foundation

/// What the file system says of the file that a path leads to, links followed.
package struct FileStatus: Sendable {
    /// Names the file among all of the machine, whatever paths lead to it.
    package struct Identity: Sendable, Hashable {
        let device: UInt64
        let inode: UInt64
    }

    package let identity: Identity
    /// Whether it is a regular file: no folder, device, pipe or socket.
    package let isRegular: Bool

    /// - Returns: nil where there is no file, or none that this process may see.
    package init?(of path: String) {
        var about = stat()
        guard stat(path, &about) == 0 else { return nil }
        identity = Identity(device: UInt64(about.st_dev), inode: UInt64(about.st_ino))
        isRegular = about.st_mode & S_IFMT == S_IFREG
    }
}
