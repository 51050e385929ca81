import CompositionModel
import Foundation
import Storage

extension StoredFile {
    /// Whether the bytes still have the digest they are stored under.
    func isIntact() throws -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(byteCount) + 1, alignment: 16)
        defer { buffer.deallocate() }
        let count = try read(into: buffer, at: 0)
        return ContentDigest(of: Data(buffer[..<count])) == digest
    }
}
