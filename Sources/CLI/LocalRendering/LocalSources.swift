import CompositionModel
import EditLanguage
import Foundation
import Ingest
import WireProtocol

/// Opens the files of a compiled edit for render processes.
struct LocalSources: Sendable {
    let probe: LocalProbe
    /// The place of each asset's bytes.
    let places: [ContentDigest: AssetSource]

    /// Source files as a render process takes them.
    struct Opened: Sendable {
        /// The files, in the order in which they were asked for.
        let files: [SourceFile]

        /// The paths that the process must be able to read.
        var readable: [String] { files.flatMap { [$0.path] + $0.frameIndexes.values } }
    }

    /// Opens the assets of a task.
    /// - Parameters:
    ///   - digests: the assets, in the order in which the task names them.
    ///   - scratch: a folder for the files of generated assets.
    /// - Throws: ``CommandFailure`` for an asset without a local file, or one that changed since it was compiled;
    ///   `RenderFailed`, `FileDigest.Unreadable` and `MediaRefusal` when it cannot be opened; `CocoaError` when the
    ///   scratch folder cannot be written.
    func open(_ digests: [ContentDigest], scratch: String) async throws -> Opened {
        var files: [SourceFile] = []
        for digest in digests { files.append(try await file(digest, scratch: scratch)) }
        return Opened(files: files)
    }

    private func file(_ digest: ContentDigest, scratch: String) async throws -> SourceFile {
        switch places[digest] {
        case .generated(let picture): return try generated(digest, picture.bytes, picture.facts, in: scratch)
        case .generatedSound(let sound): return try generated(digest, sound.bytes, sound.facts, in: scratch)
        case .path, .sequence, .raw, .speech, .digest, .url, .edit, nil: break
        }
        guard let place = places[digest], let asset = try await probe.open(place) else {
            throw CommandFailure(.usage, "The asset \(digest) has no file here; name one with --asset NAME=PATH.")
        }
        var about = stat()
        guard stat(asset.path, &about) == 0, asset.facts.digest == digest else {
            throw CommandFailure(.usage, "\(asset.path) changed while it was read; run the command again.")
        }
        return SourceFile(
            path: asset.path,
            byteCount: Int64(about.st_size),
            isComplete: true,
            frameIndexes: asset.frameIndexes,
            facts: asset.facts.facts
        )
    }

    private func generated(
        _ digest: ContentDigest,
        _ bytes: Data,
        _ facts: AssetFacts,
        in scratch: String
    ) throws -> SourceFile {
        let path = scratch + "/generated-\(digest.hex)"
        try bytes.write(to: URL(fileURLWithPath: path))
        return SourceFile(path: path, byteCount: Int64(bytes.count), isComplete: true, facts: facts)
    }
}
