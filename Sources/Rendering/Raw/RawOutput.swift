import Foundation

/// A file or pipe that is written from front to back through a buffer.
final class RawOutput {
    private let path: String
    private let handle: FileHandle
    private var pending = Data()

    /// Creates or empties the file; a pipe is opened once somebody reads it.
    /// - Throws: ``RenderError`` `file_failed` or `no_space`.
    init(path: String) throws(RenderError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .file("create", path, errno: errno) }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(RenderError) {
        pending.append(contentsOf: bytes)
        if pending.count >= 1 << 20 { try flush() }
    }

    func write(_ bytes: some DataProtocol) throws(RenderError) {
        pending.append(contentsOf: bytes)
        if pending.count >= 1 << 20 { try flush() }
    }

    func flush() throws(RenderError) {
        do {
            try handle.write(contentsOf: pending)
        } catch {
            throw .file("write", path, errno: errno)
        }
        pending.removeAll(keepingCapacity: true)
    }
}
