import Foundation
public import Shared
import Storage

/// Digests of local files, remembered: a file whose device, inode, size and times are unchanged is not hashed again.
public struct AssetLedger: Sendable {
    private let folder: String

    /// - Parameter stateFolder: entries go to `ledger` below it.
    public init(stateFolder: String) {
        folder = stateFolder + "/ledger"
    }

    /// - Throws: `FileDigest.Unreadable`.
    public func digest(of path: String) async throws -> ContentDigest {
        guard let key = AssetLedger.key(of: path) else { return try await FileDigest.of(path).digest }
        let entry = folder + "/" + key.hex
        if let data = FileManager.default.contents(atPath: entry),
            let known = ContentDigest(text: String(decoding: data, as: UTF8.self))
        {
            return known
        }
        let digest = try await FileDigest.of(path).digest
        // The file may have been written while it was hashed: then nothing is remembered.
        if AssetLedger.key(of: path) == key { remember(digest, at: entry) }
        return digest
    }

    private func remember(_ digest: ContentDigest, at entry: String) {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? Data(digest.description.utf8).write(to: URL(fileURLWithPath: entry), options: .atomic)
    }

    /// Digest over what tells that a file is the same one, unchanged. Nil for a file changed within the last two
    /// seconds: its times could hide a further change.
    private static func key(of path: String) -> ContentDigest? {
        var about = stat()
        guard stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
        guard time(nil) - max(about.st_mtim.tv_sec, about.st_ctim.tv_sec) > 2 else { return nil }
        let facts = [
            Int64(about.st_dev), Int64(bitPattern: UInt64(about.st_ino)), Int64(about.st_size),
            Int64(about.st_mtim.tv_sec), Int64(about.st_mtim.tv_nsec), Int64(about.st_ctim.tv_sec),
            Int64(about.st_ctim.tv_nsec),
        ]
        let text = "cutfarm/ledger/1\n" + facts.map(String.init).joined(separator: " ")
        return ContentDigest(of: Data(text.utf8))
    }
}
