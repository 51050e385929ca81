import Foundation

extension UnsafeRawBufferPointer {
    /// Writes all of it, however many calls that takes. Blocks.
    /// - Returns: 0, or the `errno` of the call that failed; some of it may be written then.
    package func writeAll(to descriptor: Int32) -> Int32 {
        writeAll { rest, _ in Glibc.write(descriptor, rest.baseAddress, rest.count) }
    }

    /// Writes all of it at `offset` of a file, as ``writeAll(to:)``. A disk that fills up takes a part first, and only
    /// the next call says why it took no more.
    /// - Returns: as ``writeAll(to:)``.
    func writeAll(to descriptor: Int32, at offset: off_t) -> Int32 {
        writeAll { rest, done in pwrite(descriptor, rest.baseAddress, rest.count, offset + off_t(done)) }
    }

    private func writeAll(_ write: (_ rest: UnsafeRawBufferPointer, _ done: Int) -> Int) -> Int32 {
        var rest = self[...]
        while !rest.isEmpty {
            let written = write(UnsafeRawBufferPointer(rebasing: rest), count - rest.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
