import CompositionModel
import Farm
import Storage
import WireProtocol

/// A movie that is joined, verified and durable, and has no name in the store yet.
struct JoinedMovie: Sendable {
    /// Holds the file.
    let folder: ScratchFolder
    let path: String
    let hashed: HashedBytes
    /// The object of the farm's bucket that has the movie's bytes; nil where there is no bucket.
    let object: StoredObject?
    let frameCount: Int64
    let statistics: TaskStatistics

    func completion(by worker: WorkerID) -> TaskCompletion {
        TaskCompletion(
            worker: worker,
            artifact: hashed.digest,
            byteCount: hashed.byteCount,
            unitCount: frameCount,
            statistics: statistics
        )
    }
}

/// Publishes a job's output: the file gets its name in the store, and one transaction completes the stitch and makes it
/// the job's result (`JobMachine`).
struct OutputPublisher: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let clock: any Clock<Duration>

    /// Names the movie and completes the task with it. A job that was cancelled in between must have no movie: when the
    /// database says no, the name is taken back.
    /// - Throws: ``StorageError`` when the file cannot be named; ``FarmStoreError`` when the database does not answer for
    ///   a minute; `LeaseRenewal.Lost`.
    func publish(
        _ movie: JoinedMovie,
        of grant: LeaseGrant,
        by worker: WorkerID,
        _ renewal: LeaseRenewal
    ) async throws -> CompletionOutcome {
        let (outcome, publication) = try await artifacts.holding {
            try await renewal.renew()
            let publication = try await blocking { [folder = artifacts.folder] in
                try folder.publish(movie.path, as: movie.hashed.digest)
            }
            if let object = movie.object { try await artifacts.bucket?.note(object) }
            CrashPoint.reached("stitch.stored")
            return (try await complete(grant, movie.completion(by: worker)), publication)
        }
        if outcome == .leaseLost || outcome == .conflict {
            await ArtifactCollection(store: store, artifacts: artifacts, clock: clock).takeBack(publication)
        }
        return outcome
    }

    private func complete(_ grant: LeaseGrant, _ completion: TaskCompletion) async throws -> CompletionOutcome {
        try await RetrySchedule.patient.run(on: clock, retrying: \.isUnavailable) { () async throws(FarmStoreError) in
            try await store.complete(grant.attempt, completion)
        }
    }
}

extension RetrySchedule {
    /// Repeats a request while the database does not answer, for a minute: the work is done and would be lost.
    static let patient = RetrySchedule(firstPause: .milliseconds(500), limit: .seconds(60))
}
