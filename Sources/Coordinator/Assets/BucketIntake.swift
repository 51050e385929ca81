import CompositionModel
import Farm
import Logging
import ObjectStorage
import ServiceLifecycle
import Storage
import WireProtocol

/// Takes in assets that clients send to the farm's bucket themselves. The service compares each part with its digest, a
/// worker reads the whole back and probes it, and then it is an asset: none of its bytes passes through a coordinator.
struct BucketIntake: Sendable {
    let bucket: BucketArtifacts
    let ledger: any BucketUploadLedger
    let intake: AssetIntake
    /// The most bytes that one upload may have.
    let limit: Int64
    /// What one owner may have unfinished.
    let limits: OwnerUploads.Limits
    let clock: any Clock<Duration>
    let logger: Logger

    /// The time for which a client that asks what became of its upload is kept waiting.
    private static let patience: Duration = .seconds(20)
    /// The time between two looks.
    private static let interval: Duration = .milliseconds(250)
    /// The time, in milliseconds, after which what no worker has room for goes to the coordinator.
    private static let longestWait: Int64 = 600_000

    // MARK: Sending

    /// Begins an upload, or finds the one that was cut.
    /// - Throws: status 404 `sent_here` when no worker is there that would probe it: it is sent to the coordinator then;
    ///   409 `upload_gone`; 413 for too many bytes; ``FarmStoreError/overQuota(_:)``; ``StorageError/bucket(_:)`` when the service
    ///   does not answer or refuses.
    func begin(_ digest: ContentDigest, byteCount: Int64, owner: String) async throws -> PartedUpload {
        guard byteCount <= limit else { throw Problem.bodyTooLarge(limit: limit) }
        guard byteCount > 0 else { throw Problem.sentHere }
        let found = try await ledger.bucketUpload(digest, of: owner)
        if let found, found.byteCount == byteCount, found.state != .refused {
            let all = found.sizes.ranges.indices.map { $0 + 1 }
            guard found.state == .sending else { return offer(found, all) }
            guard let parts = try await bucket.parts(of: found) else {
                // The service has forgotten it, or has made the object of the parts.
                if try await bucket.isThere(found.object) { return offer(found, all) }
                try await ledger.forget(found)
                throw Problem.uploadGone
            }
            // What is there is not sent a second time, and is probed by a worker that comes later.
            if parts.isEmpty { try await requireProber(byteCount) }
            return offer(found, parts.map(\.number))
        }
        try await requireProber(byteCount)
        let fresh = BucketUpload(
            owner: owner,
            digest: digest,
            byteCount: byteCount,
            upload: try await bucket.beginUpload(digest)
        )
        let there: BucketUpload
        do {
            there = try await ledger.begin(fresh, atMost: limits.count, limits.byteCount)
        } catch {
            try? await bucket.abort(fresh.upload)
            throw error
        }
        guard there.upload == fresh.upload else {
            // Another request began it at the same time.
            try? await bucket.abort(fresh.upload)
            return offer(there, try await bucket.parts(of: there)?.map(\.number) ?? [])
        }
        return offer(fresh, [])
    }

    private func requireProber(_ byteCount: Int64) async throws {
        guard try await hasProber(byteCount) else { throw Problem.sentHere }
    }

    private func hasProber(_ byteCount: Int64) async throws -> Bool {
        let wanted = Probers(factsVersion: AssetFacts.currentVersion, byteLimit: byteCount)
        return try await ledger.hasProber(wanted, within: ProbeDispatcher.memory.components.seconds * 1000)
    }

    private func offer(_ upload: BucketUpload, _ arrived: [Int]) -> PartedUpload {
        PartedUpload(partByteCount: upload.sizes.partByteCount, arrived: arrived)
    }

    /// The request with which the owner sends a part.
    /// - Throws: status 409 `upload_gone` when there is no such upload, 404 when there is no such part; ``FarmStoreError`` when
    ///   the database does not answer.
    func order(
        _ number: Int,
        _ part: ContentDigest,
        of digest: ContentDigest,
        owner: String
    ) async throws -> UploadOrder {
        guard let upload = try await ledger.bucketUpload(digest, of: owner), upload.state == .sending else {
            throw Problem.uploadGone
        }
        let ranges = upload.sizes.ranges
        guard ranges.indices.contains(number - 1) else { throw Problem.notFound }
        try await ledger.touch(upload)
        let range = ranges[number - 1]
        return bucket.order(number, of: upload.upload, part, byteCount: range.upperBound - range.lowerBound)
    }

    /// Makes the object of the parts, once they are all there, and waits for what a worker finds in it.
    /// - Throws: ``Problem``: 404 `sent_here` when no worker could read it; 409 `upload_gone` when the owner sends no such asset
    ///   and `upload_incomplete` when parts are missing; 422 when the bytes are no asset, or have another digest;
    ///   ``StorageError/bucket(_:)`` when the service does not answer or refuses.
    func settle(_ digest: ContentDigest, owner: String) async throws -> UploadArrival {
        if let upload = try await ledger.bucketUpload(digest, of: owner) {
            if upload.state == .sending { try await join(upload) }
            try await ledger.touch(upload)
        }
        var waited: Duration = .zero
        while true {
            let upload = try await ledger.bucketUpload(digest, of: owner)
            if let asset = try await intake.known(digest) {
                // Somebody else's may have been first.
                if let upload, upload.state != .probing { try await ledger.forget(upload) }
                return UploadArrival(record: asset.record)
            }
            guard let upload else { throw Problem.uploadGone }
            if let problem = upload.problem {
                try await ledger.forget(upload)
                throw problem
            }
            guard waited < Self.patience else {
                try await giveUp(upload)
                return UploadArrival(waiting: try await reason(upload))
            }
            do { try await clock.sleep(for: Self.interval) } catch {
                guard Task.isShuttingDownGracefully else { throw error }
                return UploadArrival(waiting: "The coordinator is shutting down.")
            }
            waited += Self.interval
        }
    }

    /// Has an upload sent to the coordinator that no worker had room for in ten minutes.
    private func giveUp(_ upload: BucketUpload) async throws {
        guard upload.state == .waiting, let time = try await ledger.waitingTime(of: upload), time > Self.longestWait,
            try await !hasProber(upload.byteCount)
        else { return }
        try await ledger.forget(upload)
        throw Problem.sentHere
    }

    private func reason(_ upload: BucketUpload) async throws -> String {
        if upload.state == .probing { return "A worker reads it back and looks into it." }
        return try await hasProber(upload.byteCount)
            ? "It waits for a worker that reads it back; they are busy with others."
            : "No worker is connected that could read it back and has room for it; it goes on by itself when one is."
    }

    private func join(_ upload: BucketUpload) async throws {
        let ranges = upload.sizes.ranges
        if let parts = try await bucket.parts(of: upload) {
            guard parts.count == ranges.count else {
                throw Problem.conflict(
                    "upload_incomplete",
                    "\(parts.count) of \(ranges.count) parts are there; send the others."
                )
            }
            try await bucket.complete(upload.upload, parts)
        }
        // The answer to a request that was carried out may have been lost, and another request may have been faster.
        guard try await bucket.isThere(upload.object) else {
            try await ledger.forget(upload)
            throw Problem.uploadGone
        }
        CrashPoint.reached("upload.joined")
        try await ledger.noteArrival(of: upload)
    }

    // MARK: Probing

    /// What a worker is told of its claim.
    func grant(_ claim: ProbeDispatcher.Claim) -> ProbeGrant {
        ProbeGrant(
            id: claim.id,
            digest: claim.upload.digest,
            byteCount: claim.upload.byteCount,
            address: bucket.address(of: claim.upload.object),
            renewalMilliseconds: ProbeDispatcher.renewalMilliseconds
        )
    }

    /// Renews a claim.
    /// - Throws: status 409 `lease_lost` when it is no longer the worker's; `FarmStoreError` when the database does not answer.
    func renew(_ id: ProbeID) async throws -> ProbeGrant {
        grant(ProbeDispatcher.Claim(id: id, upload: try await renewed(id)))
    }

    private func renewed(_ id: ProbeID) async throws -> BucketUpload {
        guard let upload = try await ledger.renewProbe(id, for: ProbeDispatcher.claimMilliseconds) else {
            throw Problem.leaseLost
        }
        return upload
    }

    /// Whether what a worker was about to be given is an asset already: then it has nothing to do.
    func isKnown(_ claim: ProbeDispatcher.Claim) async throws -> Bool {
        guard try await intake.known(claim.upload.digest) != nil else { return false }
        _ = try await ledger.endProbe(claim.id, .handedBack)
        try await ledger.forget(claim.upload)
        return true
    }

    /// Makes an asset of what a worker has read back and probed.
    /// - Throws: ``Problem``: 409 `lease_lost` when the claim is no longer the worker's; 409 `artifact_missing` when a frame
    ///   index is not stored; 422 for a record that is not of this upload.
    func take(_ record: AssetRecord, from id: ProbeID) async throws {
        let upload = try await renewed(id)
        let blocks = (upload.byteCount + AssetRecord.blockSize - 1) / AssetRecord.blockSize
        guard record.digest == upload.digest, record.byteCount == upload.byteCount, record.blocks.count == blocks,
            record.facts?.version == AssetFacts.currentVersion
        else {
            throw Problem.unprocessable("invalid_request", "The record is not that of \(upload.digest).")
        }
        for digest in record.frameIndexes.values where try await intake.artifacts.byteCount(of: digest) == nil {
            throw Problem.conflict("artifact_missing", "\(digest) is not stored here; send it first.")
        }
        // An object that held these bytes may be gone, and would make this one unwanted.
        if let holder = try await bucket.object(upload.digest), try await !bucket.isThere(holder) {
            try await bucket.ledger.forget(holder)
        }
        guard try await ledger.noteProbed(id, keptFor: BucketArtifacts.keptFor) != nil else { throw Problem.leaseLost }
        CrashPoint.reached("upload.noted")
        try await intake.store.putAsset(StoredAsset(record: record, path: nil))
        _ = try await ledger.endProbe(id, .taken)
        logger.info(
            "asset taken in",
            metadata: ["asset": "\(upload.digest)", "bytes": "\(upload.byteCount)", "owner": "\(upload.owner)"]
        )
    }

    /// Notes that a worker could not probe what it was granted.
    /// - Throws: status 409 `lease_lost` when the claim is no longer the worker's.
    func fail(_ id: ProbeID, _ failure: ProbeFailure) async throws {
        let upload = try await renewed(id)
        let problem = Problem(probing: failure.failure, of: upload.digest)
        let outcome: ProbeOutcome =
            if failure.isLeaving { .handedBack } else if problem.status == 422 { .refused(problem) } else { .unread }
        guard try await ledger.endProbe(id, outcome) else { throw Problem.leaseLost }
        logger.info(
            "asset not taken in",
            metadata: ["asset": "\(upload.digest)", "code": "\(problem.code)", "reason": "\(problem.detail)"]
        )
    }
}

extension Problem {
    /// The answer to a client that goes on with an upload which is not there any more.
    fileprivate static let uploadGone = conflict(
        "upload_gone",
        "No such upload of yours is under way; begin it anew."
    )
}
