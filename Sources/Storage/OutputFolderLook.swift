import Foundation
import Synchronization

/// A look at an output folder when the coordinator starts, on a thread of its own, which a file system that hangs keeps.
final class OutputFolderLook: Sendable {
    /// What lies at a path.
    struct Answer {
        /// The real path; nil for what is no folder.
        let folder: String?
        /// Whether a file system is mounted there.
        let isMountPoint: Bool
    }

    private let found = Mutex<Answer?>(nil)
    private let end = DispatchSemaphore(value: 0)

    /// Begins the look.
    /// - Parameter reaching: called on the thread before the file system is asked for anything.
    init(at path: String, reaching: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            reaching()
            let answer = Self.look(at: path)
            found.withLock { $0 = answer }
            end.signal()
        }
    }

    /// Waits for the answer until `deadline`.
    /// - Returns: nil when there is none by then.
    func answer(by deadline: DispatchTime) -> Answer? {
        _ = end.wait(timeout: deadline)
        return found.withLock(\.self)
    }

    /// The answer for a folder that does not answer: it is taken as there. The table of mounts knows its file system
    /// without asking it.
    static func assumed(at path: String) -> Answer {
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let folder = absolute.count > 1 && absolute.hasSuffix("/") ? String(absolute.dropLast()) : absolute
        return Answer(folder: folder, isMountPoint: isInTableOfMounts(folder))
    }

    private static func look(at path: String) -> Answer {
        let none = Answer(folder: nil, isMountPoint: false)
        guard let real = realpath(path, nil) else { return none }
        defer { free(real) }
        var about = stat()
        guard stat(real, &about) == 0, about.st_mode & S_IFMT == S_IFDIR else { return none }
        let descriptor = FolderDescriptor(open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        return Answer(folder: String(cString: real), isMountPoint: descriptor.isMountPoint)
    }

    /// Whether the fifth field of a line in /proc/self/mountinfo is the path (proc_pid_mountinfo(5)), in which a space
    /// is written as `\040`.
    private static func isInTableOfMounts(_ path: String) -> Bool {
        let table = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
        let written = path.replacingOccurrences(of: "\\", with: "\\134").replacingOccurrences(of: " ", with: "\\040")
        return String(decoding: table, as: UTF8.self).split(separator: "\n").contains { line in
            line.split(separator: " ").dropFirst(4).first.map(String.init) == written
        }
    }
}
