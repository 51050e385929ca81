import CompositionModel
import Farm
import Logging
import Planning
import Sandbox
import Storage
import WireProtocol

/// Joins one movie, from the grant of the task to its completion, failure or loss.
struct StitchExecutor: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactStore
    let renderer: RenderProcess
    let logger: Logger

    /// Joins the movie of a lease. It returns once the attempt is over for this coordinator, whatever its end.
    /// Cancelling hands it back.
    func run(_ grant: LeaseGrant, _ worker: WorkerRegistered) async {
        var logger = logger
        logger[metadataKey: "job"] = "\(grant.job)"
        logger[metadataKey: "task"] = "\(grant.task)"
        logger[metadataKey: "attempt"] = "\(grant.attempt)"
        do {
            let renewal = LeaseRenewal(store: store, worker: worker, attempt: grant.attempt)
            let movie = try await renewal.whileHeld { try await stitch(grant, renewal) }
            let outcome = try await deliver(movie, grant, worker.worker, renewal)
            let log = CompletionLog(store: store, logger: logger)
            await log.note(outcome, of: grant.attempt, movie.completion(by: worker.worker), done: "output joined")
        } catch is LeaseRenewal.Lost {
            logger.info("stitch lease lost")
        } catch is CancellationError {
            await handBack(grant, worker.worker)
        } catch {
            await report(failure(of: error), grant, worker.worker)
            logger.warning("stitch failed", metadata: ["error": "\(error)"])
        }
    }

    /// A movie that is verified and durable, and has no name in the store yet.
    private struct JoinedMovie: Sendable {
        /// Holds the file.
        var folder: ScratchFolder
        var path: String
        var hashed: HashedBytes
        var frameCount: Int64
        var statistics: TaskStatistics

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

    private func stitch(_ grant: LeaseGrant, _ renewal: LeaseRenewal) async throws -> JoinedMovie {
        guard case .stitch(let task) = grant.payload else { throw Problem.internalFault }
        let parts = try await parts(of: grant.job)
        let scratch = try await blocking { try artifacts.makeScratchFolder() }
        let output = scratch.file("output." + task.container.fileExtension)
        let request = StitchRequest(task: task, pictureParts: parts.pictures, soundParts: parts.sounds, output: output)
        let outcome = try await renderer.run(
            .stitch(request),
            within: RenderLimits(stitching: grant, partBytes: parts.byteCount),
            readable: [parts.folder.path],
            writable: [scratch.path],
            onProgress: { renewal.progress(permille: $0) }
        )
        guard case .artifact(let frameCount) = outcome.result else { throw Problem.internalFault }
        return JoinedMovie(
            folder: scratch,
            path: output,
            hashed: try await readingWhole { try artifacts.prepare(path: output) },
            frameCount: frameCount,
            statistics: outcome.statistics
        )
    }

    // MARK: Delivery

    /// Gives the movie its name and completes the task with it. A job that was cancelled in between must have no movie:
    /// when the database says no, the name is taken back.
    private func deliver(
        _ movie: JoinedMovie,
        _ grant: LeaseGrant,
        _ worker: WorkerID,
        _ renewal: LeaseRenewal
    ) async throws -> CompletionOutcome {
        let (outcome, publication) = try await artifacts.holding {
            try await renewal.renew()
            let publication = try await blocking { try artifacts.publish(movie.path, as: movie.hashed.digest) }
            CrashPoint.reached("stitch.stored")
            return (try await complete(grant, movie.completion(by: worker)), publication)
        }
        if outcome == .leaseLost || outcome == .conflict {
            await ArtifactCollection(store: store, artifacts: artifacts).takeBack(publication)
        }
        return outcome
    }

    private func complete(_ grant: LeaseGrant, _ completion: TaskCompletion) async throws -> CompletionOutcome {
        try await Self.patiently.run(retrying: \.isUnavailable) { () async throws(FarmStoreError) in
            try await store.complete(grant.attempt, completion)
        }
    }

    // MARK: Parts

    /// The accepted parts of a job, linked into one folder.
    private struct Parts: Sendable {
        /// Holds the files below while the child reads them.
        var folder: ScratchFolder
        var pictures: [String]
        var sounds: [String]
        /// The length of all parts together, in bytes.
        var byteCount: Int64
    }

    /// Gathers the accepted parts in the order of the timeline. Each is read once to see that it has not rotted.
    private func parts(of job: JobID) async throws -> Parts {
        let tasks = try await store.tasks(of: job).filter { [.picture, .sound].contains($0.kind) }
        let digests = try tasks.map { task in
            guard let digest = task.artifact else { throw StorageError.missing("task \(task.id)") }
            return digest
        }
        let (folder, paths) = try await readingWhole { try artifacts.gather(digests) }
        let byteCount = try await blocking { digests.compactMap { artifacts.byteCount(of: $0) }.reduce(0, +) }
        let parts = zip(tasks, paths)
        return Parts(
            folder: folder,
            pictures: parts.filter { $0.0.kind == .picture }.map(\.1),
            sounds: parts.filter { $0.0.kind == .sound }.map(\.1),
            byteCount: byteCount
        )
    }

    // MARK: Ends

    private func failure(of error: any Error) -> Failure {
        switch error {
        case let error as RenderFailed: error.failure
        case let error as StorageError: failure(of: error)
        default: Failure(code: "stitch_failed", message: "Joining the segments failed: \(error)", isPermanent: false)
        }
    }

    /// What is accepted is not rendered again: a part that is gone or has rotted is the end of the job.
    private func failure(of error: StorageError) -> Failure {
        switch error {
        case .missing(let digest):
            Failure(
                code: error.code,
                message: "The accepted artifact \(digest) is no longer stored; submit the job again.",
                isPermanent: true
            )
        case .wrongDigest(let digest, _):
            Failure(
                code: "artifact_corrupt",
                message: "The accepted artifact \(digest) has changed on disk; submit the job again.",
                isPermanent: true
            )
        default: Failure(code: error.code, message: error.description, isPermanent: false)
        }
    }

    private func report(_ failure: Failure, _ grant: LeaseGrant, _ worker: WorkerID) async {
        _ = try? await Self.patiently.run(retrying: \.isUnavailable) { () async throws(FarmStoreError) in
            try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
        }
    }

    private func handBack(_ grant: LeaseGrant, _ worker: WorkerID) async {
        let release = LeaseRelease(attempts: [grant.attempt], leaving: false)
        await shieldedFromCancellation { [store] in try await store.release(worker, release) }
    }

    /// Repeats a request while the database does not answer, for a minute: the work is done and would be lost.
    private static let patiently = RetrySchedule(firstPause: .milliseconds(500), limit: .seconds(60))
}

extension FarmStoreError {
    /// Whether another attempt may succeed: the database does not answer.
    fileprivate var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
}
