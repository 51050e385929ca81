import Foundation
import Sandbox
public import Shared
import Storage

/// Digests of local files, remembered: a file whose device, inode, size and times are unchanged is not hashed again.
public struct AssetLedger: Sendable {
    private let folder: String
    private let movieFolder: String

    /// - Parameter stateFolder: entries go to `ledger` below it.
    public init(stateFolder: String) {
        folder = stateFolder + "/ledger"
        movieFolder = stateFolder + "/sequences"
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

    /// The file of a sequence of numbered pictures: made once, and again when one of them has changed.
    /// - Throws: ``ImageSequence/Refusal``, or what reading and writing throws.
    func movie(of pattern: String, at rate: FrameRate) async throws -> String {
        let folder = movieFolder
        return try await OwnThread.run {
            let sequence = try ImageSequence(pattern: pattern, frameRate: rate)
            let keys = sequence.files.map { AssetLedger.key(of: $0)?.hex ?? UUID().uuidString }
            let words = "\(rate) " + keys.joined(separator: " ")
            return try AssetLedger.made("mov", of: words, in: folder) { try sequence.write(to: $0) }
        }
    }

    /// The file of raw pictures or samples, with a header: made once, and again when they have changed.
    /// - Throws: ``RawFile/Refusal``, or what reading and writing throws.
    func movie(ofRaw path: String, _ format: RawFormat) async throws -> String {
        let folder = movieFolder
        return try await OwnThread.run {
            let raw = try RawFile(path: path, format: format)
            let words = "\(format) \(AssetLedger.key(of: path)?.hex ?? UUID().uuidString)"
            return try AssetLedger.made(raw.fileExtension, of: words, in: folder) { try raw.write(to: $0) }
        }
    }

    /// The file of a text that espeak-ng speaks: made once.
    /// - Throws: ``SpeechSynthesis/Refusal``, or what reading and writing throws.
    func sound(of text: SpokenText) async throws -> String {
        let folder = movieFolder
        return try await OwnThread.run {
            let words = "speech " + text.arguments(to: "").joined(separator: " ") + "\n" + text.text
            return try AssetLedger.made("wav", of: words, in: folder) { try SpeechSynthesis.write(text, to: $0) }
        }
    }

    /// A file that depends on `words` alone.
    private static func made(
        _ ending: String,
        of words: String,
        in folder: String,
        write: (String) throws -> Void
    ) throws -> String {
        let path = folder + "/\(ContentDigest(of: Data(words.utf8)).hex).\(ending)"
        if FileManager.default.fileExists(atPath: path) { return path }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let unfinished = folder + "/\(UUID().uuidString).part"
        defer { try? FileManager.default.removeItem(atPath: unfinished) }
        try write(unfinished)
        guard rename(unfinished, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path
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
