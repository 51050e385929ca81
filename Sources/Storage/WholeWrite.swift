import Foundation

extension UnsafeRawBufferPointer {
    /// Writes all of it, however many calls that takes. Blocks.
    /// - Returns: 0, or the `errno` of the call that failed; some of it may be written then.
    package func writeAll(to descriptor: Int32) -> Int32 {
        var rest = self[...]
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
