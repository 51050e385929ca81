import CompositionModel
package import EditLanguage
import Foundation
package import Sandbox

/// Probes local media in a sandboxed child process, without a farm, and remembers what it found by digest.
package struct LocalProbe: Sendable {
    /// Opens media and fonts.
    package let process: RenderProcess
    private let ledger: AssetLedger
    private let memory: ProbeMemory

    /// A probed local file.
    package struct Asset: Sendable {
        /// The absolute path.
        package let path: String
        package let facts: CompilerAsset
        /// The path of each video stream's frame index, by libavformat's stream index.
        package let frameIndexes: [Int: String]
    }

    /// - Parameter stateFolder: facts are kept in `facts` below it, digests as ``AssetLedger`` keeps them.
    package init(process: RenderProcess, stateFolder: String) {
        self.process = process
        ledger = AssetLedger(stateFolder: stateFolder)
        memory = ProbeMemory(folder: stateFolder + "/facts")
    }

    /// The facts of an asset, from memory where its bytes are known.
    /// - Returns: nil for a source that is no media of this machine: a digest, an address, or an edit.
    /// - Throws: as ``probe(_:)-(String)``, and ``MediaRefusal`` when the source cannot become a file.
    package func probe(_ source: AssetSource) async throws -> CompilerAsset? {
        switch source {
        case .generated(let picture): return CompilerAsset(digest: picture.digest, facts: picture.facts)
        case .generatedSound(let sound): return CompilerAsset(digest: sound.digest, facts: sound.facts)
        case .path, .sequence, .raw, .speech, .url, .digest, .edit:
            guard let path = try await ledger.file(for: source) else { return nil }
            return try await probe(path)
        }
    }

    /// The facts of a media file, from memory where its bytes are known.
    /// - Throws: `RenderFailed` with a sentence when the file is no media that can be used; `FileDigest.Unreadable`
    ///   when it cannot be read; `CancellationError`.
    package func probe(_ path: String) async throws -> CompilerAsset {
        let digest = try await ledger.digest(of: path)
        if let facts = memory.facts(of: digest) { return CompilerAsset(digest: digest, facts: facts) }
        return CompilerAsset(digest: digest, facts: try await run(path, digest))
    }

    /// The facts of an asset, with everything it takes to decode its pictures.
    /// - Returns: nil as ``probe(_:)-(AssetSource)``, and for generated pictures and sounds.
    /// - Throws: as ``probe(_:)-(AssetSource)``; `RenderFailed` with `index_missing` when the frame indexes cannot be
    ///   kept in the state folder.
    package func open(_ source: AssetSource) async throws -> Asset? {
        guard let path = try await ledger.file(for: source) else { return nil }
        let digest = try await ledger.digest(of: path)
        if let facts = memory.facts(of: digest), let indexes = memory.indexes(of: facts, digest) {
            return Asset(path: path, facts: CompilerAsset(digest: digest, facts: facts), frameIndexes: indexes)
        }
        let facts = try await run(path, digest)
        guard let indexes = memory.indexes(of: facts, digest) else { throw RenderFailed(.notKept(path, memory.folder)) }
        return Asset(path: path, facts: CompilerAsset(digest: digest, facts: facts), frameIndexes: indexes)
    }

    private func run(_ path: String, _ digest: ContentDigest) async throws -> AssetFacts {
        try await process.probe(path) { facts, indexes, folder in
            memory.remember(facts, indexes, of: digest, from: folder)
            return facts
        }
    }
}

extension Failure {
    fileprivate static func notKept(_ path: String, _ folder: String) -> Failure {
        let advice = "choose another state folder with --state"
        return Failure(
            code: "index_missing",
            message: "What was found out of \(path) cannot be kept in \(folder); \(advice).",
            isPermanent: false
        )
    }
}
