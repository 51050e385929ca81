import CompositionModel
import Farm
import Foundation
import Logging
import Sandbox
import Storage
import WireProtocol

/// Makes bytes that are in the store an asset: probed by a sandboxed child, its facts and frame indexes kept.
struct AssetIntake: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactStore
    let renderer: RenderProcess
    /// See ``CoordinatorConfiguration/probeTime``.
    let probeTime: Duration
    /// Probes that run at a time.
    let gate = Gate(places: 2)
    /// Files of this host that are hashed at a time: fewer than there are threads for it, so that joining goes on.
    let hashing = Gate(places: 2)
    let logger: Logger

    /// The asset when it is known, its bytes and frame indexes are here and its facts are of this version.
    func known(_ digest: ContentDigest) async throws -> StoredAsset? {
        guard let asset = try await store.asset(digest), asset.record.facts?.version == AssetFacts.currentVersion else {
            return nil
        }
        return try await blocking { artifacts.holds(asset.record) } ? asset : nil
    }

    /// Bytes that have just come into the store.
    /// - Parameter publication: by which they came. It is undone when they are no media, unless they were there before,
    ///   an output maybe, or somebody else has sent them as well. What fails otherwise may go well the next time: the
    ///   bytes stay, and are collected when nobody asks again.
    /// - Throws: ``Problem`` with the probe's code and sentence.
    func take(
        _ hashed: HashedBytes,
        path: String? = nil,
        published publication: Publication? = nil
    ) async throws -> AssetRecord {
        do {
            let record = try await gate.pass { try await probe(hashed) }
            try await keep(StoredAsset(record: record, path: path))
            logger.info("asset taken in", metadata: ["asset": "\(hashed.digest)", "bytes": "\(hashed.byteCount)"])
            return record
        } catch let problem as Problem where problem.status == 422 {
            if let publication {
                await ArtifactCollection(store: store, artifacts: artifacts).takeBack(publication)
            }
            throw problem
        }
    }

    /// The bytes may have waited for their probe so long that they were collected.
    private func keep(_ asset: StoredAsset) async throws {
        let named = [asset.record.digest] + asset.record.frameIndexes.values
        try await artifacts.holding {
            for digest in named where try await blocking({ artifacts.byteCount(of: digest) }) == nil {
                throw StorageError.missing("\(digest)")
            }
            try await store.putAsset(asset)
        }
    }

    /// A file of this host, used where it lies.
    /// - Parameter file: as ``AllowedRoots`` found it.
    func register(_ file: LocatedFile) async throws -> AssetRecord {
        let first = try await hash(file)
        if let asset = try await known(first.digest) {
            try await blocking { try artifacts.remember(first.digest) }
            return asset.record
        }
        let isKnownFile = first.blocks.isEmpty && first.byteCount > 0
        let hashed = isKnownFile ? try await hash(file, always: true) : first
        let record = try await take(hashed, path: file.path)
        try await blocking { try artifacts.remember(record.digest) }
        return record
    }

    private func hash(_ file: LocatedFile, always: Bool = false) async throws -> HashedBytes {
        try await hashing.pass { try await readingWhole { try artifacts.register(file, hashing: always) } }
    }

    private func probe(_ hashed: HashedBytes) async throws -> AssetRecord {
        let file = try await blocking { try artifacts.open(hashed.digest) }
        let scratch = try await blocking { try artifacts.makeScratchFolder() }
        let source = SourceFile(path: file.path, byteCount: file.byteCount, isComplete: true)
        let outcome: RenderProcess.Outcome
        do {
            outcome = try await renderer.run(
                .probe(ProbeRequest(source: source, outputFolder: scratch.path)),
                within: limits(hashed.byteCount),
                readable: [file.path],
                writable: [scratch.path]
            )
        } catch let error as RenderFailed {
            throw Problem(probing: error.failure, of: hashed.digest)
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

    /// A whole file is read from front to back: its size gives it time, and its index space.
    private func limits(_ byteCount: Int64) -> RenderLimits {
        let wall = probeTime + .seconds(byteCount >> 23)
        return RenderLimits(
            wall: wall,
            cpuSeconds: Int(wall.components.seconds),
            fileMiB: 64 + Int(byteCount >> 20)
        )
    }

    /// The child names files; only names within its folder count.
    private func keep(_ indexes: [Int: String], from scratch: ScratchFolder) async throws -> [Int: ContentDigest] {
        try await blocking {
            try indexes.mapValues { name in try artifacts.adopt(path: scratch.file(name)).digest }
        }
    }
}

extension Problem {
    /// What is permanent is the file's fault, and so is what stops the prober; anything else is ours, and may pass.
    fileprivate init(probing failure: Failure, of asset: ContentDigest) {
        self =
            switch failure.code {
            case FarmFailure.renderTimeLimit, FarmFailure.renderCPULimit, FarmFailure.renderFileLimit:
                .unprocessable(
                    "probe_limit",
                    "Reading \(asset) took far more than a file of its size may and was stopped; repair or remux it."
                )
            case FarmFailure.renderCrashed, FarmFailure.renderOutOfMemory: .unprocessable(failure.code, failure.message)
            default:
                failure.isPermanent
                    ? .unprocessable(failure.code, failure.message) : .unavailable(failure.code, failure.message)
            }
    }
}
