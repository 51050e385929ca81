import CompositionModel
import Farm
import Foundation
import Logging
import Sandbox
import Storage
import WireProtocol

/// Turns stored bytes into an asset: a sandboxed child probes them, and their facts and frame indexes are kept.
struct AssetIntake: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let renderer: RenderProcess
    /// What earlier farms found in sources; nil for none.
    let memory: SourceMemory?
    /// The time that a probe may take; see ``CoordinatorConfiguration/probeTime``.
    let probeTime: Duration
    let clock: any Clock<Duration>
    /// Limits the number of probes at a time.
    let gate = Gate(places: 2)
    /// Limits the number of files of this host hashed at a time, to fewer than the threads for it, so that joining goes
    /// on.
    let hashing = Gate(places: 2)
    let logger: Logger

    /// The stored asset; nil unless its bytes and frame indexes are present and its facts have this version.
    /// - Throws: ``FarmStoreError`` or ``StorageError`` when the database or the disk does not answer.
    func known(_ digest: ContentDigest) async throws -> StoredAsset? {
        guard let asset = try await store.asset(digest), asset.record.facts?.version == AssetFacts.currentVersion else {
            return nil
        }
        return try await artifacts.holds(asset.record) ? asset : nil
    }

    /// Makes an asset of bytes that were just stored.
    /// - Parameter publication: The publication that stored the bytes. It is undone when they are no usable media,
    ///   unless they were stored earlier, for example as an output, or another client sent them too. After any other
    ///   failure the bytes stay for a later try, until they are collected.
    /// - Throws: ``Problem`` with the probe's code and sentence.
    func take(
        _ hashed: HashedBytes,
        path: String? = nil,
        published publication: Publication? = nil
    ) async throws -> AssetRecord {
        let pin = try await artifacts.pin(hashed.digest)
        defer { withExtendedLifetime(pin) {} }
        do {
            let record = try await gate.pass { try await probe(hashed) }
            try await keep(StoredAsset(record: record, path: path))
            logger.info("asset taken in", metadata: ["asset": "\(hashed.digest)", "bytes": "\(hashed.byteCount)"])
            return record
        } catch let problem as Problem where problem.status == 422 {
            if let publication {
                await ArtifactCollection(store: store, artifacts: artifacts, clock: clock).takeBack(publication)
            }
            throw problem
        }
    }

    /// Stores the asset, keeping its bytes for good and checking that they were not collected while they waited for their
    /// probe.
    private func keep(_ asset: StoredAsset) async throws {
        let named = [asset.record.digest] + asset.record.frameIndexes.values
        // The large file is pinned while it is sent, and the indexes are not.
        for digest in named.reversed() { try await artifacts.keep(digest) }
        try await artifacts.holding {
            for digest in named where try await artifacts.byteCount(of: digest) == nil {
                throw StorageError.missing("\(digest)")
            }
            try await store.putAsset(asset)
        }
    }

    /// Makes an asset of a file of this host, which is used in place.
    /// - Parameter file: The file as ``AllowedRoots`` located it.
    /// - Throws: ``Problem`` with the probe's code and sentence; ``StorageError`` when the file cannot be read.
    func register(_ file: LocatedFile) async throws -> AssetRecord {
        let first = try await hash(file)
        if let asset = try await known(first.digest) {
            try await blocking { [folder = artifacts.folder] in try folder.remember(first.digest) }
            return asset.record
        }
        let isKnownFile = first.blocks.isEmpty && first.byteCount > 0
        if isKnownFile, let memory,
            let record = try await blocking({ [folder = artifacts.folder] in memory.recall(first.digest, into: folder) }
            )
        {
            try await keep(StoredAsset(record: record, path: file.path))
            return record
        }
        let hashed = isKnownFile ? try await hash(file, always: true) : first
        let record = try await take(hashed, path: file.path)
        try await blocking { [folder = artifacts.folder] in
            memory?.keep(record, from: folder)
            try folder.remember(record.digest)
        }
        return record
    }

    private func hash(_ file: LocatedFile, always: Bool = false) async throws -> HashedBytes {
        try await hashing.pass {
            try await readingWhole { [folder = artifacts.folder] in try folder.register(file, hashing: always) }
        }
    }

    private func probe(_ hashed: HashedBytes) async throws -> AssetRecord {
        let file = try await artifacts.open(hashed.digest)
        let scratch = try await blocking { [folder = artifacts.folder] in try folder.makeScratchFolder() }
        let source = SourceFile(path: file.path, byteCount: file.byteCount, isComplete: true)
        let outcome: RenderProcess.Outcome
        do {
            outcome = try await renderer.run(
                .probe(ProbeRequest(source: source, outputFolder: scratch.path)),
                within: RenderLimits(probing: hashed.byteCount, time: probeTime),
                readable: [file.path],
                writable: [scratch.path]
            )
        } catch let error as RenderFailed {
            let folders = [artifacts.folder.root, (file.path as NSString).deletingLastPathComponent]
            throw Problem(probing: error.failure.withoutPaths(below: folders), of: hashed.digest)
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

    /// Stores the frame indexes that the child wrote. The child names the files; only names within its folder count.
    private func keep(_ indexes: [Int: String], from scratch: ScratchFolder) async throws -> [Int: ContentDigest] {
        try await blocking { [folder = artifacts.folder] in
            try indexes.mapValues { name in try folder.adopt(path: scratch.file(name)).digest }
        }
    }
}

extension Problem {
    /// Makes the problem of a failed probe. A permanent failure, or one that stops the prober, is the file's fault; any
    /// other is the coordinator's and may pass.
    init(probing failure: Failure, of asset: ContentDigest) {
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
