import Farm
import Foundation
import Logging
import NIOPosix
import Sandbox
import Shared
import Storage

/// Makes bytes that are in the store an asset: probed by a sandboxed child, its facts and frame indexes kept.
struct AssetIntake: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactStore
    let renderer: RenderProcess
    /// Probes that run at a time.
    let gate = Gate(places: 2)
    let logger: Logger

    /// The asset when it is known, its bytes are here and its facts are of this version.
    func known(_ digest: ContentDigest) async throws -> StoredAsset? {
        guard let asset = try await store.asset(digest), asset.record.facts?.version == AssetFacts.currentVersion,
            artifacts.byteCount(of: digest) == asset.record.byteCount
        else { return nil }
        return asset
    }

    /// Bytes that have just come into the store.
    /// - Parameter isNew: they are removed again when they are no media; what was there before, an output maybe, stays.
    /// - Throws: ``Problem`` with the probe's code and sentence.
    func take(_ hashed: HashedBytes, path: String? = nil, isNew: Bool = true) async throws -> AssetRecord {
        do {
            let record = try await gate.pass { try await probe(hashed) }
            try await store.putAsset(StoredAsset(record: record, path: path))
            logger.info("asset taken in", metadata: ["asset": "\(hashed.digest)", "bytes": "\(hashed.byteCount)"])
            return record
        } catch {
            if isNew { artifacts.remove(hashed.digest) }
            throw error
        }
    }

    /// A file of this host, used where it lies.
    /// - Parameter path: as ``AllowedRoots`` resolved it.
    func register(_ path: String) async throws -> AssetRecord {
        let first = try await blocking { try artifacts.register(path: path) }
        if let asset = try await known(first.digest) {
            try await blocking { try artifacts.remember(first.digest) }
            return asset.record
        }
        let isKnownFile = first.blocks.isEmpty && first.byteCount > 0
        let hashed = isKnownFile ? try await blocking { try artifacts.register(path: path, hashing: true) } : first
        let record = try await take(hashed, path: path)
        try await blocking { try artifacts.remember(record.digest) }
        return record
    }

    private func probe(_ hashed: HashedBytes) async throws -> AssetRecord {
        let file = try await blocking { try artifacts.open(hashed.digest) }
        let scratch = try artifacts.makeScratchFolder()
        let source = SourceFile(path: file.path, byteCount: file.byteCount, isComplete: true)
        let outcome: RenderProcess.Outcome
        do {
            outcome = try await renderer.run(
                .probe(ProbeRequest(source: source, outputFolder: scratch.path)),
                readable: [file.path],
                writable: [scratch.path]
            )
        } catch let error as RenderFailed {
            throw Problem(probing: error.failure)
        }
        guard case .probe(let facts, let indexes) = outcome.result else { throw Problem.internalFault }
        return AssetRecord(
            digest: hashed.digest,
            byteCount: hashed.byteCount,
            blocks: hashed.blocks,
            facts: facts,
            frameIndexes: try await keep(indexes, from: scratch)
        )
    }

    /// The child names files; only names within its folder count.
    private func keep(_ indexes: [Int: String], from scratch: ScratchFolder) async throws -> [Int: ContentDigest] {
        try await blocking {
            try indexes.mapValues { name in try artifacts.adopt(path: scratch.file(name)).digest }
        }
    }
}

/// Runs `work` on a thread that may block.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(work)
}

extension Problem {
    /// What is permanent is the file's fault; anything else is ours, and may pass.
    fileprivate init(probing failure: Failure) {
        self =
            failure.isPermanent || failure.code == FarmFailure.renderCrashed
            ? .unprocessable(failure.code, failure.message) : .unavailable(failure.code, failure.message)
    }
}
