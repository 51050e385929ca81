import Foundation

/// Bytes that replace others of a finished file.
struct FilePatch {
    var offset: Int64
    var bytes: [UInt8]

    /// - Throws: ``MediaError/writing(_:)``.
    static func apply(_ patches: [FilePatch], to path: String) throws(MediaError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        for patch in patches {
            let count = patch.bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(patch.offset))
            }
            guard count == patch.bytes.count else { throw failure }
        }
    }

    private static var failure: MediaError {
        .writing("The index of the file cannot be written: \(String(cString: strerror(errno))).")
    }
}
