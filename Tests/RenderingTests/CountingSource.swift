import Media

/// A source that counts what is read of it.
final class CountingSource: ByteSource {
    private let source: any ByteSource
    private(set) var readCount: Int64 = 0

    init(_ source: any ByteSource) { self.source = source }

    var byteCount: Int64 { source.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = try source.read(into: buffer, at: offset)
        readCount += Int64(count)
        return count
    }
}
