/// Random access to the bytes of one file. Called by one thread at a time.
public protocol ByteSource: AnyObject {
    var byteCount: Int64 { get }

    /// Copies bytes from `offset` on into `buffer`.
    /// - Returns: how many were copied, at least 1 unless `offset` is at or past the end: then 0.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}
