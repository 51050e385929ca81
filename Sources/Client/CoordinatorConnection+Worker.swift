package import CompositionModel
import Curl
package import Foundation
package import WireProtocol

// What a worker says.
extension CoordinatorConnection {
    /// Registers a worker.
    /// - Returns: the worker's identifier, and how often it must be heard of.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `version_mismatch` for a
    ///   renderer of another version.
    package func register(_ registration: WorkerRegistration) async throws(ClientError) -> WorkerRegistered {
        try await post("/v1/workers", registration, timeout: .seconds(10), returning: WorkerRegistered.self)
    }

    /// Asks for work, and waits up to `poll.waitMilliseconds` for it. The same poll sent again is granted the same
    /// leases.
    /// - Returns: the leases; empty when there was no work in that time.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `unknown_worker` after the
    ///   worker was forgotten.
    package func poll(_ poll: LeasePoll) async throws(ClientError) -> [LeaseGrant] {
        let timeout = Duration.milliseconds(poll.waitMilliseconds) + .seconds(10)
        return try await post("/v1/leases:poll", poll, timeout: timeout, returning: LeaseGrants.self).grants
    }

    /// Renews the leases of a worker.
    /// - Returns: which leases were renewed, which are lost, and whether the worker is to drain.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `unknown_worker` after the
    ///   worker was forgotten.
    package func heartbeat(_ beat: Heartbeat, from worker: WorkerID) async throws(ClientError) -> HeartbeatReply {
        try await post("/v1/workers/\(worker)/heartbeat", beat, timeout: .seconds(5), returning: HeartbeatReply.self)
    }

    /// Reports the artifact of an attempt, which must have been uploaded before.
    /// - Returns: whether the artifact was accepted now, or before.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `lease_lost` or
    ///   `artifact_conflict` when it is not accepted.
    package func complete(
        _ attempt: AttemptID,
        _ completion: TaskCompletion
    ) async throws(ClientError) -> CompletionReply {
        try await post(
            "/v1/attempts/\(attempt)/complete",
            completion,
            timeout: .seconds(30),
            returning: CompletionReply.self
        )
    }

    /// The digests of what was measured of the attempt's job in the stages before its own.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `lease_lost` when the attempt
    ///   is not live.
    package func readings(of attempt: AttemptID) async throws(ClientError) -> AttemptReadings {
        try await get(AttemptReadings.self, "/v1/attempts/\(attempt)/readings")
    }

    /// Reports that an attempt failed.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `lease_lost` when the attempt
    ///   is not live.
    package func fail(_ attempt: AttemptID, _ failure: TaskFailure) async throws(ClientError) {
        try await post("/v1/attempts/\(attempt)/fail", failure, timeout: .seconds(10))
    }

    /// Adds lines to the log of an attempt.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `lease_lost` for an attempt
    ///   that is not this worker's, or ended a while ago.
    package func say(_ lines: LogLines, of attempt: AttemptID) async throws(ClientError) {
        try await post("/v1/attempts/\(attempt)/log", lines, timeout: .seconds(5))
    }

    /// Hands leases back, and says whether the worker leaves.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: code `unknown_worker` after the
    ///   worker was forgotten.
    package func release(_ release: LeaseRelease, from worker: WorkerID) async throws(ClientError) {
        try await post("/v1/workers/\(worker)/release", release, timeout: .seconds(2))
    }

    /// Stores a file's bytes under their digest. Bytes that are there already are not sent again: after a lost answer,
    /// or when another worker made the same.
    /// - Parameters:
    ///   - digest: the SHA-256 of the file.
    ///   - path: the path of the file.
    ///   - isForced: whether the bytes are sent also when they are there. The coordinator hashes what it has only when
    ///     new bytes come, so this is what replaces a damaged copy.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 507 when its disk is full.
    package func upload(
        artifact digest: ContentDigest,
        from path: String,
        isForced: Bool = false
    ) async throws(ClientError) {
        if !isForced {
            if try await exists("/v1/artifacts/\(digest.hex)") { return }
            if try await uploadElsewhere(digest, from: path) { return }
        }
        _ = try await send(request(.put, "/v1/artifacts/\(digest.hex)", body: .file(path: path)))
    }

    /// The bytes of a whole small artifact, such as a frame index. They are not checked against the digest.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 when it is not stored.
    package func artifact(_ digest: ContentDigest) async throws(ClientError) -> Data {
        try await send(request(.get, "/v1/artifacts/\(digest.hex)", timeout: .seconds(300))).body
    }
}
