package import Foundation

/// A part of a document that is stored with a job.
package struct DocumentSlice: Sendable, Hashable {
    /// The number of bytes of the whole document.
    package var byteCount: Int
    /// The bytes of the part.
    package var bytes: Data

    /// Makes a part of a document of `byteCount` bytes.
    package init(byteCount: Int, bytes: Data) {
        self.byteCount = byteCount
        self.bytes = bytes
    }
}
