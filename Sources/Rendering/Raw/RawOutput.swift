import Foundation

/// A file or pipe that is written from front to back, each time straight from where the bytes are.
final class RawOutput {
    /// UIO_MAXIOV of <linux/uio.h>: pieces that one call takes.
    private static let mostPieces = 1024

    private let path: String
    private let handle: FileHandle
    private var pieces: [iovec] = []

    /// Creates or empties the file; a pipe is opened once somebody reads it.
    /// - Throws: ``RenderError`` `file_failed` or `no_space`.
    init(path: String) throws(RenderError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .file("create", path, errno: errno) }
        self.path = path
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// - Throws: ``RenderError`` when the output cannot be written, as ``flush()`` does.
    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            add(bytes)
            try flush()
        }
    }

    /// Takes note of bytes, which ``flush()`` writes: they must stay where they are until then.
    func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        if let last = pieces.last, last.iov_base + last.iov_len == base {
            pieces[pieces.count - 1].iov_len += bytes.count
        } else {
            pieces.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: base), iov_len: bytes.count))
        }
    }

    /// - Throws: ``RenderError`` `file_failed` or `no_space`.
    func flush() throws(RenderError) {
        defer { pieces.removeAll(keepingCapacity: true) }
        var first = 0
        while first < pieces.count {
            let count = min(pieces.count - first, RawOutput.mostPieces)
            let written = pieces.withUnsafeBufferPointer {
                writev(handle.fileDescriptor, $0.baseAddress! + first, Int32(count))
            }
            guard written >= 0 else {
                if errno == EINTR { continue }
                throw .file("write", path, errno: errno)
            }
            first = skip(written, from: first)
        }
    }

    /// - Returns: the first piece of which something is left.
    private func skip(_ count: Int, from first: Int) -> Int {
        var (index, rest) = (first, count)
        while index < pieces.count, rest >= pieces[index].iov_len {
            rest -= pieces[index].iov_len
            index += 1
        }
        if rest > 0 {
            pieces[index].iov_base += rest
            pieces[index].iov_len -= rest
        }
        return index
    }
}
