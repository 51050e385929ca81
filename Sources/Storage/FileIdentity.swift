import Foundation

/// What tells whether a file is still the one that was hashed: a file system changes at least one of these when the
/// bytes change, short of somebody setting the machine's clock back.
struct FileIdentity: Sendable, Hashable, Codable {
    var device: UInt64
    var inode: UInt64
    var byteCount: Int64
    var modifiedNanoseconds: Int64
    /// The time of the last change to bytes or attributes (`st_ctim`): a program can set the other time back, not this
    /// one.
    var changedNanoseconds: Int64

    /// The identity of an open file; nil when it is no regular file.
    init?(descriptor: Int32) {
        var about = stat()
        guard fstat(descriptor, &about) == 0 else { return nil }
        self.init(about)
    }

    /// The identity of what lies at `path`, without following links; nil when it is no regular file.
    init?(path: String) {
        var about = stat()
        guard lstat(path, &about) == 0 else { return nil }
        self.init(about)
    }

    private init?(_ about: stat) {
        guard about.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(about.st_dev)
        inode = UInt64(about.st_ino)
        byteCount = Int64(about.st_size)
        modifiedNanoseconds = Int64(about.st_mtim.tv_sec) * 1_000_000_000 + Int64(about.st_mtim.tv_nsec)
        changedNanoseconds = Int64(about.st_ctim.tv_sec) * 1_000_000_000 + Int64(about.st_ctim.tv_nsec)
    }

    /// The name of a file that stands for this identity.
    var name: String { "\(device)-\(inode)-\(byteCount)-\(modifiedNanoseconds)-\(changedNanoseconds)" }
}
