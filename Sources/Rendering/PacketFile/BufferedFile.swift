import CompositionModel
import Foundation

/// A file read from front to back through a buffer, with the digest of what was read so far.
final class BufferedFile {
    let path: String
    let byteCount: Int64
    /// Bytes handed out so far.
    private(set) var position: Int64 = 0
    private let descriptor: Int32
    private var buffer = Data()
    private var hasher = ContentHasher()

    /// Opens the file.
    /// - Throws: ``RenderError`` when it cannot be opened.
    init(path: String) throws(RenderError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("open", path, errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .file("read", path, errno: errno) }
        byteCount = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    var digest: ContentDigest { hasher.finalize() }

    /// - Throws: ``RenderError`` `packet_file_damaged` when the file ends before.
    func read(_ count: Int) throws(RenderError) -> Data {
        if buffer.count < count {
            let wanted = min(max(count - buffer.count, 1 << 18), Int(byteCount - position) - buffer.count)
            buffer.append(try peek(wanted, at: position + Int64(buffer.count)))
        }
        guard buffer.count >= count else { throw .damagedPacketFile("“\(path)” ends early") }
        let result = Data(buffer.prefix(count))
        buffer = buffer.dropFirst(count)
        position += Int64(count)
        hasher.update(result)
        return result
    }

    /// Bytes at `offset`, without moving on and without digest.
    func peek(_ count: Int, at offset: Int64) throws(RenderError) -> Data {
        var result = Data(count: max(count, 0))
        var done = 0
        while done < result.count {
            let got = result.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
            }
            guard got != 0 else { throw .damagedPacketFile("“\(path)” ends early") }
            if got < 0, errno != EINTR { throw .file("read", path, errno: errno) }
            done += max(got, 0)
        }
        return result
    }
}
