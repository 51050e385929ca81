import Foundation

/// Hears of the files that were renamed into a folder, or within it (`inotify`). Most were complete before they had
/// their names, but not all: a program that writes a file goes on when somebody renames it. Of renames by another
/// machine, in a folder that lies there, the kernel says nothing.
final class RenamedFiles: Sendable {
    private let folder: String
    /// Negative when the system has no more of them, and nothing is heard.
    private let descriptor: Int32

    /// - Parameter folder: a path. What is renamed into it is heard of from the first ``take()`` on.
    init(folder: String) {
        self.folder = folder
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes the names of the files that were renamed into the folder since the last call.
    func take() -> Set<String> {
        guard descriptor >= 0 else { return [] }
        // The same folder is watched once; another that took its path is watched as well.
        _ = inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO))
        var names: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return names }
            buffer.withUnsafeBytes { Self.collect(UnsafeRawBufferPointer(rebasing: $0.prefix(count)), into: &names) }
        }
    }

    /// Reads events, each a header followed by a name that zeros fill up.
    private static func collect(_ events: UnsafeRawBufferPointer, into names: inout Set<String>) {
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= events.count {
            let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let start = offset + MemoryLayout<inotify_event>.size
            offset = start + Int(event.len)
            guard event.mask & UInt32(IN_MOVED_TO) != 0, offset <= events.count else { continue }
            names.insert(String(decoding: events[start..<offset].prefix { $0 != 0 }, as: UTF8.self))
        }
    }
}
