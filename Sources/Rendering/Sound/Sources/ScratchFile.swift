import Foundation

/// Decoded sound on disk while a task works: a file without a name, gone with the process at the latest.
final class ScratchFile {
    private let folder: String
    private let descriptor: Int32
    private var byteCount: Int64 = 0

    /// - Throws: ``RenderError`` `file_failed`, `no_space`.
    init(folder: String) throws(RenderError) {
        self.folder = folder
        let path = "\(folder)/sound-\(UUID().uuidString)"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file("create", path, errno: errno) }
        unlink(path)
    }

    deinit { close(descriptor) }

    /// Room for `count` bytes, all zero and taking no space until they are written.
    /// - Returns: its offset.
    func allocate(_ count: Int64) throws(RenderError) -> Int64 {
        let offset = byteCount
        guard ftruncate(descriptor, off_t(offset + count)) == 0 else { throw .file("write", folder, errno: errno) }
        byteCount += count
        return offset
    }

    /// Writes all of `bytes` at byte `offset`.
    /// - Throws: ``RenderError`` `no_space` or `file_failed`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(RenderError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + done)
            if count < 0, errno != EINTR { throw .file("write", folder, errno: errno) }
            done += max(count, 0)
        }
    }

    /// Fills `bytes` from byte `offset` on.
    /// - Throws: ``RenderError`` `file_failed`.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(RenderError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + done)
            guard count != 0 else { throw .file("read", folder, errno: EIO) }
            if count < 0, errno != EINTR { throw .file("read", folder, errno: errno) }
            done += max(count, 0)
        }
    }
}
