package import CompositionModel
import Foundation

/// The SHA-256 of a whole file, read on a thread of its own.
package enum FileDigest {
    /// Reads a file and hashes it.
    /// - Throws: ``Unreadable`` with a sentence when it cannot be read.
    package static func of(_ path: String) async throws -> (digest: ContentDigest, byteCount: Int64) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try read(path) })
            }
        }
    }

    /// The reason why a file could not be hashed.
    package struct Unreadable: Error, Sendable, CustomStringConvertible {
        /// A sentence for the user.
        package let description: String
    }

    private static func read(_ path: String) throws -> (digest: ContentDigest, byteCount: Int64) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var hasher = ContentHasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0 { throw unreadable(path) }
            if count == 0 { break }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return (hasher.finalize(), hasher.byteCount)
    }

    private static func unreadable(_ path: String) -> Unreadable {
        Unreadable(description: "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
}
