package import CompositionModel
package import Foundation
import Storage

/// Remembers the digests of local files in the state folder: a file whose device, inode, size and times are unchanged
/// is not hashed again.
package struct AssetLedger: Sendable {
    private let folder: String
    /// The folder of the files that ``file(for:)`` makes.
    let madeFolder: String
    /// Gives the time with which times of files are compared.
    let now: @Sendable () -> Date

    /// - Parameters:
    ///   - stateFolder: digests are kept in `ledger` below it, files that are made in `sequences`.
    ///   - now: gives the time with which times of files are compared; the system's clock unless a test turns it.
    package init(stateFolder: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
        folder = stateFolder + "/ledger"
        madeFolder = stateFolder + "/sequences"
    }

    /// The SHA-256 of a file, from memory where the file is unchanged.
    /// - Parameters:
    ///   - path: the path of a regular file.
    ///   - onLongHashing: called before a file of at least ``longHashing`` bytes is read, because it is not remembered.
    /// - Throws: `FileDigest.Unreadable` when the file cannot be read.
    package func digest(of path: String, onLongHashing: () -> Void = {}) async throws -> ContentDigest {
        guard let identity = FileState(path: path, now: now()) else {
            if Self.takesLong(path) { onLongHashing() }
            return try await FileDigest.of(path).digest
        }
        let entry = folder + "/" + identity.key.hex
        if let data = FileManager.default.contents(atPath: entry),
            let known = ContentDigest(text: String(decoding: data, as: UTF8.self))
        {
            return known
        }
        if Self.takesLong(path) { onLongHashing() }
        let digest = try await FileDigest.of(path).digest
        // The file may have been written while it was hashed: then nothing is remembered.
        if FileState(path: path, now: now()) == identity { remember(digest, at: entry) }
        return digest
    }

    /// The size in bytes from which hashing takes a second or more on slow disks.
    package static let longHashing: Int64 = 64 << 20

    private static func takesLong(_ path: String) -> Bool {
        var about = stat()
        return stat(path, &about) == 0 && Int64(about.st_size) >= longHashing
    }

    private func remember(_ digest: ContentDigest, at entry: String) {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? Data(digest.description.utf8).write(to: URL(fileURLWithPath: entry), options: .atomic)
    }
}
