import CompositionModel
import Foundation

extension RenderError {
    /// Runs what reads the part at `path`; an error of it names the part by the digest of its file, by which the farm
    /// knows which task to render again.
    static func blaming<Value>(
        partAt path: String,
        _ body: () throws(RenderError) -> Value
    ) throws(RenderError) -> Value {
        do {
            return try body()
        } catch {
            var error = error
            if liesInParts.contains(error.failure.code), let digest = digest(ofFile: path) { error.blame(digest) }
            throw error
        }
    }

    /// The codes of errors that are a part's own.
    private static let liesInParts: Set<String> = [
        "packet_file_truncated", "packet_file_damaged", "packet_file_version", "parts_differ", "frames_missing",
        "samples_missing", "join_damaged",
    ]

    /// The digest of a whole file; nil when it cannot be read.
    private static func digest(ofFile path: String) -> ContentDigest? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var hasher = ContentHasher()
        do {
            while let data = try file.read(upToCount: 1 << 20), !data.isEmpty { hasher.update(data) }
        } catch { return nil }
        return hasher.finalize()
    }
}
