import CPango
package import CompositionModel
import Glibc
import Synchronization

/// The bytes of a font file, in memory, under a path of this process.
///
/// It lives as long as the process: fontconfig, Cairo and Pango keep faces by path, and a path must never come to mean
/// another font.
package struct FontFile: Sendable, Hashable {
    /// The digest of the file.
    package let digest: ContentDigest
    let path: String

    private static let open = Mutex<[ContentDigest: FontFile]>([:])

    /// - Parameter bytes: the whole file; their digest is `digest`.
    /// - Throws: ``TitleError/unreadableFont(_:)`` when memory is short.
    package init(_ bytes: [UInt8], digest: ContentDigest) throws(TitleError) {
        self = try FontFile.open.withLock { known throws(TitleError) in
            if let file = known[digest] { return file }
            let file = FontFile(digest: digest, path: try FontFile.keep(bytes))
            known[digest] = file
            return file
        }
    }

    private init(digest: ContentDigest, path: String) {
        self.digest = digest
        self.path = path
    }

    /// - Returns: the path of a file in memory with `bytes`.
    private static func keep(_ bytes: [UInt8]) throws(TitleError) -> String {
        let file = cut_memory_file("cutfarm-font")
        guard file >= 0, write(bytes, to: file) else {
            if file >= 0 { close(file) }
            throw .unreadableFont("There is no memory for a font of \(bytes.count) bytes.")
        }
        return "/proc/self/fd/\(file)"
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = Glibc.write(file, buffer.baseAddress! + done, buffer.count - done)
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}

/// Why text cannot be drawn.
package enum TitleError: Error, Sendable, Hashable {
    /// A sentence: no font file, or a damaged one.
    case unreadableFont(String)
    /// A sentence: a picture of this text would be larger than what is possible.
    case tooLarge(String)

    /// Stable code and sentence for the farm and its clients.
    package var failure: Failure {
        switch self {
        case .unreadableFont(let sentence): Failure(code: "font_unreadable", message: sentence, isPermanent: true)
        case .tooLarge(let sentence): Failure(code: "title_too_large", message: sentence, isPermanent: true)
        }
    }
}
