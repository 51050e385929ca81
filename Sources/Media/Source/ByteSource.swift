/// Random access to the bytes of one file. Called by one thread at a time.
package protocol ByteSource: AnyObject {
    var byteCount: Int64 { get }

    /// Copies bytes from `offset` on into `buffer`.
    /// - Returns: how many were copied, at least 1 unless `offset` is at or past the end: then 0.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}

extension ByteSource {
    /// The bytes from `offset` on.
    /// - Returns: `count` bytes, or fewer where the file ends.
    /// - Throws: ``MediaError/unreadable(_:)`` when the source cannot be read, or the ``MediaError`` that it throws.
    func bytes(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        do {
            while filled < count {
                let start = filled
                let got = try bytes.withUnsafeMutableBytes { buffer in
                    try read(into: .init(rebasing: buffer[start...]), at: offset + Int64(start))
                }
                if got == 0 { break }
                filled += got
            }
        } catch {
            throw (error as? MediaError) ?? .unreadable("A source cannot be read: \(error).")
        }
        return Array(bytes.prefix(filled))
    }
}
