package import CompositionModel
import Foundation

/// Bytes of the store, open for reading. Calls block and may come from any thread.
package final class StoredFile: Sendable {
    /// The digest under which the bytes are stored.
    package let digest: ContentDigest
    /// The number of bytes.
    package let byteCount: Int64
    /// The path of the bytes, for a render child, which opens the file itself.
    package let path: String
    private let descriptor: Int32
    /// The identity of a file that is used where it lies, at the time it was registered; nil for bytes of the store.
    let registered: FileIdentity?

    /// Owns `descriptor` from now on.
    init(digest: ContentDigest, byteCount: Int64, path: String, descriptor: Int32, registered: FileIdentity?) {
        self.digest = digest
        self.byteCount = byteCount
        self.path = path
        self.descriptor = descriptor
        self.registered = registered
    }

    deinit { close(descriptor) }

    /// Fills `buffer` from `offset` on.
    /// - Returns: the number of bytes read; fewer than asked for only at the end of the file.
    /// - Throws: ``StorageError/changed(path:)`` when a registered file is not what it was: what was read is worthless.
    ///   Another ``StorageError`` when reading fails.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
            if got == 0 { break }
            if got > 0 {
                filled += got
            } else if errno != EINTR {
                throw .current("read", path)
            }
        }
        guard registered == nil || FileIdentity(descriptor: descriptor) == registered else {
            throw .changed(path: path)
        }
        return filled
    }

    /// Sets the time of the last change to now.
    func touch() { futimens(descriptor, nil) }

    /// Whether the name at `path` is this file's, whatever was done to it since it was opened.
    func lies(at path: String) -> Bool {
        FileIdentity(path: path).map(isFile) ?? false
    }

    /// Whether this is the file of `identity`, whatever was done to its names.
    func isFile(_ identity: FileIdentity) -> Bool {
        guard let mine = FileIdentity(descriptor: descriptor) else { return false }
        return mine.inode == identity.inode && mine.device == identity.device
    }

    /// Reads the whole file and hashes it.
    func hash() throws(StorageError) -> ContentDigest {
        try FileHasher.hash(descriptor: descriptor, path: path, withBlocks: false).digest
    }
}
