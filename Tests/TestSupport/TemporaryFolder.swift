package import Foundation

/// A new folder below the system's temporary one, removed with everything in it when this goes away.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("cutfarm-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of `name` in this folder.
    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Removes what lies in this folder under names of which `isDone` holds, before a long test fills the disk.
    package func remove(where isDone: (String) -> Bool) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where isDone(name) {
            try FileManager.default.removeItem(atPath: path(name))
        }
    }
}

extension TemporaryFolder {
    /// Writes a program, for example a script, that can be started at once. - Returns: its path.
    ///
    /// A process that another test starts in this moment has the open file too, until its own exec; and what is open
    /// for writing cannot be executed (execve(2), ETXTBSY). A lease for reading is given when nobody has (fcntl(2)).
    package func program(_ name: String, _ text: String) throws -> String {
        let path = path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let setLease: Int32 = 1024
        while fcntl(descriptor, setLease, F_RDLCK) != 0, errno == EAGAIN { usleep(1000) }
        _ = fcntl(descriptor, setLease, F_UNLCK)
        return path
    }
}
