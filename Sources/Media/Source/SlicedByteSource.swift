/// A part of another source, as if it were a file of its own.
final class SlicedByteSource: ByteSource {
    private let whole: any ByteSource
    private let bytes: Range<Int64>
    var byteCount: Int64 { Int64(bytes.count) }

    /// - Parameter bytes: clamped to what there is.
    init(_ whole: any ByteSource, _ bytes: Range<Int64>) {
        self.whole = whole
        self.bytes = bytes.clamped(to: 0..<max(whole.byteCount, 0))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let room = Int(min(Int64(buffer.count), byteCount - offset))
        return try whole.read(into: .init(rebasing: buffer[..<room]), at: bytes.lowerBound + offset)
    }
}
