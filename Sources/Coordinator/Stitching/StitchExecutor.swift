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
    let clock: any Clock<Duration>
    let logger: Logger

    /// Joins the movie of a lease. It returns once the attempt is over for this coordinator, whatever its end.
    /// Cancelling hands it back.
    func run(_ grant: LeaseGrant, _ worker: WorkerRegistered) async {
        var logger = logger
        logger[metadataKey: "job"] = "\(grant.job)"
        logger[metadataKey: "task"] = "\(grant.task)"
        logger[metadataKey: "attempt"] = "\(grant.attempt)"
        do {
            let renewal = LeaseRenewal(store: store, worker: worker, attempt: grant.attempt, clock: clock)
            let movie = try await renewal.whileHeld { try await stitch(grant, renewal) }
            let publisher = OutputPublisher(store: store, artifacts: artifacts, clock: clock)
            let outcome = try await publisher.publish(movie, of: grant, by: worker.worker, renewal)
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

    private func stitch(_ grant: LeaseGrant, _ renewal: LeaseRenewal) async throws -> JoinedMovie {
        guard case .stitch(let task) = grant.payload else { throw Problem.internalFault }
        let parts = try await StitchParts(of: grant.job, store: store, artifacts: artifacts)
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
        _ = try? await RetrySchedule.patient.run(on: clock, retrying: \.isUnavailable) {
            () async throws(FarmStoreError) in
            try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
        }
    }

    private func handBack(_ grant: LeaseGrant, _ worker: WorkerID) async {
        let release = LeaseRelease(attempts: [grant.attempt], leaving: false)
        await shieldedFromCancellation(on: clock) { [store] in try await store.release(worker, release) }
    }
}
