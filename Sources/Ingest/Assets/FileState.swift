import CompositionModel
import Foundation

/// The facts by which a local file is known to be the same file, unchanged.
struct FileState: Equatable {
    /// The digest of device, inode, size, modification and change time.
    let key: ContentDigest

    /// - Parameter now: the present time.
    /// - Returns: nil for anything but a regular file, and for a file that was changed within the last two seconds,
    ///   whose times could hide a further change.
    init?(path: String, now: Date) {
        var about = stat()
        guard stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
        let changed = max(about.st_mtim.tv_sec, about.st_ctim.tv_sec)
        guard Int(now.timeIntervalSince1970.rounded(.down)) - changed > 2 else { return nil }
        let facts = [
            Int64(about.st_dev), Int64(bitPattern: UInt64(about.st_ino)), Int64(about.st_size),
            Int64(about.st_mtim.tv_sec), Int64(about.st_mtim.tv_nsec), Int64(about.st_ctim.tv_sec),
            Int64(about.st_ctim.tv_nsec),
        ]
        let text = "cutfarm/ledger/1\n" + facts.map(String.init).joined(separator: " ")
        key = ContentDigest(of: Data(text.utf8))
    }
}
