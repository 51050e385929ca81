import Foundation

/// A lock on a file that stays where it is, held by whoever has it open (flock(2)): it ends with this object, and with
/// the process however that dies.
package final class LockFile: Sendable {
    private let descriptor: Int32

    /// Waits until it can be had, and keeps the thread meanwhile.
    init(waitingFor operation: Int32, at path: String) throws(StorageError) {
        descriptor = try LockFile.open(path)
        while flock(descriptor, operation) != 0 {
            guard errno == EINTR else {
                let error = StorageError.current("locked", path)
                close(descriptor)
                throw error
            }
        }
    }

    /// - Returns: nil when somebody else holds it.
    package init?(trying operation: Int32, at path: String) throws(StorageError) {
        descriptor = try LockFile.open(path)
        guard flock(descriptor, operation | LOCK_NB) != 0 else { return }
        defer { close(descriptor) }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw .current("locked", path) }
        return nil
    }

    private static func open(_ path: String) throws(StorageError) -> Int32 {
        // For writing: network file systems lock exclusively only what is open for it.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .current("opened", path) }
        return descriptor
    }

    deinit { close(descriptor) }
}
