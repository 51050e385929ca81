import CLibAV
import Foundation

/// Owner of the AVIOContext through which libavformat reads a ``ByteSource``.
///
/// The end is AVERROR_EOF and never 0, which libavformat would ask for again and again. What a source throws is kept
/// here, because only a number passes through C.
final class SourceIO {
    static let bufferSize = 256 << 10

    let source: any ByteSource
    /// Whatever the source threw first.
    private(set) var failure: MediaError?
    private(set) var context: UnsafeMutablePointer<AVIOContext>
    private var position: Int64 = 0

    init(_ source: any ByteSource) throws(MediaError) {
        LibAV.prepare()
        self.source = source
        guard let buffer = av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self),
            let context = avio_alloc_context(buffer, Int32(Self.bufferSize), 0, nil, readSource, nil, seekSource)
        else { throw .unreadable("No memory to read a source.") }
        self.context = context
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        av_free(context.pointee.buffer)
        var pointer: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&pointer)
    }

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        guard failure == nil else { return CUT_AVERROR_EIO }
        do {
            let count = try source.read(into: buffer, at: position)
            guard count > 0 else { return CUT_AVERROR_EOF }
            position += Int64(count)
            return Int32(count)
        } catch {
            failure = (error as? MediaError) ?? .unreadable("A source cannot be read: \(error).")
            return CUT_AVERROR_EIO
        }
    }

    fileprivate func seek(to offset: Int64, whence: Int32) -> Int64 {
        switch whence & ~Int32(AVSEEK_FORCE) {
        case Int32(AVSEEK_SIZE): return source.byteCount
        case SEEK_SET: position = offset
        case SEEK_CUR: position += offset
        case SEEK_END: position = source.byteCount + offset
        default: return Int64(CUT_AVERROR_EINVAL)
        }
        return position
    }
}

// File scope: C calls these on whatever thread, so they must not inherit an isolation.

private func readSource(
    _ owner: UnsafeMutableRawPointer?,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ size: Int32
) -> Int32 {
    guard let owner else { return CUT_AVERROR_EIO }
    let io = Unmanaged<SourceIO>.fromOpaque(owner).takeUnretainedValue()
    return io.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
}

private func seekSource(_ owner: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let owner else { return Int64(CUT_AVERROR_EIO) }
    return Unmanaged<SourceIO>.fromOpaque(owner).takeUnretainedValue().seek(to: offset, whence: whence)
}
