import Curl
public import Foundation
public import CompositionModel
public import WireProtocol

// What a worker says.
extension CoordinatorConnection {
    public func register(_ registration: WorkerRegistration) async throws(ClientError) -> WorkerRegistered {
        try await post("/v1/workers", registration, timeout: .seconds(10), returning: WorkerRegistered.self)
    }

    public func poll(_ poll: LeasePoll) async throws(ClientError) -> [LeaseGrant] {
        let timeout = Duration.milliseconds(poll.waitMilliseconds) + .seconds(10)
        return try await post("/v1/leases:poll", poll, timeout: timeout, returning: LeaseGrants.self).grants
    }

    public func heartbeat(_ beat: Heartbeat, from worker: WorkerID) async throws(ClientError) -> HeartbeatReply {
        try await post("/v1/workers/\(worker)/heartbeat", beat, timeout: .seconds(5), returning: HeartbeatReply.self)
    }

    public func complete(
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

    /// What was measured of the attempt's job in the stages before its own.
    public func readings(of attempt: AttemptID) async throws(ClientError) -> AttemptReadings {
        try await get(AttemptReadings.self, "/v1/attempts/\(attempt)/readings")
    }

    public func fail(_ attempt: AttemptID, _ failure: TaskFailure) async throws(ClientError) {
        try await post("/v1/attempts/\(attempt)/fail", failure, timeout: .seconds(10))
    }

    public func release(_ release: LeaseRelease, from worker: WorkerID) async throws(ClientError) {
        try await post("/v1/workers/\(worker)/release", release, timeout: .seconds(2))
    }

    /// Stores the file's bytes under their digest. What is there already is not sent again: after a lost answer, or
    /// when another worker made the same.
    /// - Parameter isForced: send it also when it is there. The coordinator hashes what it has only when new bytes
    ///   come, so this is what replaces a damaged copy.
    public func upload(
        artifact digest: ContentDigest,
        from path: String,
        isForced: Bool = false
    ) async throws(ClientError) {
        if !isForced, try await exists("/v1/artifacts/\(digest.hex)") { return }
        _ = try await send(request(.put, "/v1/artifacts/\(digest.hex)", body: .file(path: path)))
    }

    /// A whole artifact, small ones such as frame indexes.
    public func artifact(_ digest: ContentDigest) async throws(ClientError) -> Data {
        try await send(request(.get, "/v1/artifacts/\(digest.hex)", timeout: .seconds(300))).body
    }
}
