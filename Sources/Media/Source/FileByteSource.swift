import Foundation

/// A complete local file.
package final class FileByteSource: ByteSource {
    /// The size of the file when it was opened.
    package let byteCount: Int64
    private let descriptor: Int32

    /// - Throws: ``MediaError/unreadable(_:)`` when it is missing, no regular file or not allowed.
    package init(path: String) throws(MediaError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .unreadable("“\(path)” cannot be opened: \(String(cString: strerror(errno))).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .unreadable("“\(path)” is no regular file; give the path of a media file.")
        }
        byteCount = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads bytes at `offset`, at most as many as `buffer` takes.
    /// - Returns: the number of bytes; 0 at the end of the file.
    /// - Throws: ``MediaError/unreadable(_:)`` when the disk fails.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw MediaError.unreadable("Reading at byte \(offset) failed: \(String(cString: strerror(errno))).")
            }
        }
    }
}
