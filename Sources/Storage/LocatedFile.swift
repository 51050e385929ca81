import Foundation

/// A file that was found, and not yet opened for reading: whatever happens to its path from now on, this is the file.
/// So its real path can be judged first and the file be read afterwards.
package final class LocatedFile: Sendable {
    /// The path without links and dots, as the kernel knows it.
    package let path: String
    /// The descriptor of `open(2)` with O_PATH: no device is touched and no pipe waited for.
    private let descriptor: Int32

    /// Finds a file.
    /// - Parameter path: an absolute path; links are followed.
    /// - Throws: ``StorageError/unreadable(path:cause:)`` when there is nothing at `path`.
    package init(_ path: String) throws(StorageError) {
        // O_PATH, which Glibc's module leaves out.
        let found = Glibc.open(path, 0o10000000 | O_CLOEXEC)
        guard found >= 0 else { throw .unreadable(path: path, cause: String(cString: strerror(errno))) }
        guard let real = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(found)") else {
            close(found)
            throw .unreadable(path: path, cause: "its place cannot be told; is /proc mounted?")
        }
        (self.path, descriptor) = (real, found)
    }

    /// Opens the file for reading.
    /// - Returns: a descriptor that the caller closes.
    /// - Throws: ``StorageError/unreadable(path:cause:)``, also for what is no regular file.
    func open() throws(StorageError) -> Int32 {
        guard FileIdentity(descriptor: descriptor) != nil else {
            throw .unreadable(path: path, cause: "it is no regular file")
        }
        let opened = Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw .unreadable(path: path, cause: String(cString: strerror(errno))) }
        return opened
    }

    deinit { close(descriptor) }
}
