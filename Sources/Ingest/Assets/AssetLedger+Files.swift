import CompositionModel
package import EditLanguage
import Foundation
import Threads
import Timing

extension AssetLedger {
    /// The local file that holds an asset's bytes.
    ///
    /// Numbered pictures, raw media and spoken texts are first written as one file; it is kept, and made again when
    /// what it was made from has changed.
    /// - Returns: an absolute path; nil for a source that is no local media: a digest, an address, an edit, or a
    ///   generated picture or sound.
    /// - Throws: ``MediaRefusal`` when the source cannot become a file; `CocoaError` when reading or writing fails.
    package func file(for source: AssetSource) async throws -> String? {
        switch source {
        case .path(let path): path
        case .sequence(let pattern, let rate): try await movie(of: pattern, at: rate)
        case .raw(let path, let format): try await movie(ofRaw: path, format)
        case .speech(let text): try await sound(of: text)
        case .url, .digest, .generated, .generatedSound, .edit: nil
        }
    }

    private func movie(of pattern: String, at rate: FrameRate) async throws -> String {
        try await DedicatedThread.run {
            let sequence = try ImageSequence(pattern: pattern, frameRate: rate)
            let keys = sequence.files.map(contentKey)
            let words = "\(rate) " + keys.joined(separator: " ")
            return try made("mov", of: words) { try sequence.write(to: $0) }
        }
    }

    private func movie(ofRaw path: String, _ format: RawFormat) async throws -> String {
        try await DedicatedThread.run {
            let raw = try RawFile(path: path, format: format)
            return try made(raw.fileExtension, of: "\(format) \(contentKey(path))") {
                try raw.write(to: $0)
            }
        }
    }

    private func sound(of text: SpokenText) async throws -> String {
        try await DedicatedThread.run {
            let words = "speech " + text.arguments(to: "").joined(separator: " ") + "\n" + text.text
            return try made("wav", of: words) { try SpeechSynthesis.write(text, to: $0) }
        }
    }

    /// Stands for a file's bytes; unique where the file may still change.
    private func contentKey(_ path: String) -> String {
        FileState(path: path, now: now())?.key.hex ?? UUID().uuidString
    }

    /// The path of a file that depends on `words` alone; `write` makes it where it is missing. Blocks.
    private func made(_ fileExtension: String, of words: String, write: (String) throws -> Void) throws -> String {
        let path = madeFolder + "/\(ContentDigest(of: Data(words.utf8)).hex).\(fileExtension)"
        if FileManager.default.fileExists(atPath: path) { return path }
        try FileManager.default.createDirectory(atPath: madeFolder, withIntermediateDirectories: true)
        let unfinished = madeFolder + "/\(UUID().uuidString).part"
        defer { try? FileManager.default.removeItem(atPath: unfinished) }
        try write(unfinished)
        guard rename(unfinished, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path
    }
}
