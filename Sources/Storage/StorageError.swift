import Foundation

/// The reason why stored bytes cannot be had or kept.
package enum StorageError: Error, Sendable, Hashable {
    /// Nothing is stored under this digest.
    case missing(String)
    /// What arrived has another digest than it was said to have.
    case wrongDigest(expected: String, found: String)
    /// A file that is used where it lies is no longer what it was when it was registered.
    case changed(path: String)
    /// The folder of the store belongs to the farm of another database.
    case foreign(root: String)
    /// The place of a bucket, `s3://BUCKET/PREFIX/`, belongs to the farm of another database.
    case foreignBucket(String)
    /// The file system is full.
    case noSpace(path: String)
    /// `path` is no regular file that may be read.
    case unreadable(path: String, cause: String)
    /// The farm's artifacts are in the first place, and the second was named.
    case elsewhere(String, named: String)
    /// The bucket in which the bytes are kept does not answer, or refuses; the sentence says which and why.
    case bucket(String)
    /// A call of the operating system failed.
    case system(path: String, doing: String, code: Int32)

    /// The stable code of problem+json.
    package var code: String {
        switch self {
        case .missing: "artifact_missing"
        case .wrongDigest: "digest_mismatch"
        case .changed: "asset_changed"
        case .foreign: "artifact_folder_taken"
        case .foreignBucket: "artifact_bucket_taken"
        case .noSpace: "no_space"
        case .unreadable: "asset_unreadable"
        case .elsewhere: "artifacts_elsewhere"
        case .bucket: "bucket_failed"
        case .system: "storage_failed"
        }
    }

    /// The failure of `operation` on `path` as `errno` has it now.
    static func current(_ operation: String, _ path: String) -> StorageError {
        let code = errno
        return isFull(code) ? .noSpace(path: path) : .system(path: path, doing: operation, code: code)
    }

    /// Whether `code`, of errno, means that there is no room: on the disk, or in the user's share of it.
    static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }
}

extension StorageError: CustomStringConvertible {
    /// The sentence for the user.
    package var description: String {
        switch self {
        case .missing(let digest): "Nothing is stored under \(digest)."
        case .wrongDigest(let expected, let found):
            "The bytes have the digest \(found) and not \(expected); send them again."
        case .changed(let path): "\(path) was changed or removed after it was registered; submit the job again."
        case .foreign(let root):
            "\(root) belongs to the farm of another database; name that database, or another --state. Should that farm be "
                + "gone, remove \(root)/owner."
        case .foreignBucket(let place):
            "\(place) belongs to the farm of another database; name that database, or another place in --artifacts. Should "
                + "that farm be gone, remove the object \(place)owner."
        case .noSpace(let path): "There is no space left for \(path); free some and try again."
        case .unreadable(let path, let cause): "\(path) cannot be read: \(cause)."
        case .elsewhere(let known, let named):
            "This farm's artifacts are in \(known == "folder" ? "the state folder" : known), and \(named == "folder" ? "no bucket" : named) "
                + "was named; name the same (--artifacts), or start a new farm."
        case .bucket(let sentence): "The farm's bucket cannot be used: \(sentence)"
        case .system(let path, let doing, let code):
            "\(path) could not be \(doing): \(String(cString: strerror(code)))."
        }
    }
}
