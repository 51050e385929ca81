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
    let artifacts: ArtifactLibrary
    /// The parts that this farm has in common with others; nil for a farm that has none.
    var shelved: ShelvedParts?
    /// Removes parts on which no unfinished job counts; nil where they take no room.
    var collection: ArtifactCollection?
    let space: SpaceWatch
    let renderer: RenderProcess
    let clock: any Clock<Duration>
    let metrics: FarmMetrics
    let traces: JobTraces
    let logger: Logger

    /// Joins the movie of a lease. It returns once the attempt is over for this coordinator, whatever its end.
    /// Cancelling hands it back.
    func run(_ grant: LeaseGrant, _ worker: WorkerRegistered) async {
        var logger = logger
        logger[metadataKey: "job"] = "\(grant.job)"
        logger[metadataKey: "task"] = "\(grant.task)"
        logger[metadataKey: "attempt"] = "\(grant.attempt)"
        if let trace = await traces.trace(of: grant.job) { logger[metadataKey: "trace"] = "\(trace.trace)" }
        let said = SaidLines()
        await join(grant, worker, said, logger)
        guard let lines = said.take() else { return }
        _ = try? await store.appendLog(lines, to: grant.attempt, by: worker.worker)
    }

    private func join(_ grant: LeaseGrant, _ worker: WorkerRegistered, _ said: SaidLines, _ logger: Logger) async {
        do {
            let renewal = LeaseRenewal(store: store, worker: worker, attempt: grant.attempt, clock: clock)
            let movie = try await renewal.whileHeld { try await stitch(grant, renewal, said) }
            let publisher = OutputPublisher(store: store, artifacts: artifacts, clock: clock)
            let outcome = try await publisher.publish(movie, of: grant, by: worker.worker, renewal)
            let log = CompletionLog(store: store, metrics: metrics, traces: traces, logger: logger)
            let task = try? await store.task(of: grant.attempt)
            await log.note(outcome, of: grant.attempt, task, movie.completion(by: worker.worker), done: "output joined")
        } catch is LeaseRenewal.Lost {
            logger.info("stitch lease lost")
        } catch let lost as StitchParts.Lost {
            await reject(lost.digests, .lost, grant, worker.worker, logger)
        } catch let damaged as DamagedPart {
            let failure = damaged.failure.withoutPaths(below: [artifacts.folder.root])
            await reject([damaged.digest], .damaged(failure), grant, worker.worker, logger)
        } catch  where error is CancellationError || Task.isCancelled {
            // The store names a wait that was cancelled as a database that does not answer.
            await handBack(grant, worker.worker)
        } catch {
            await report(failure(of: error), grant, worker.worker)
            logger.warning("stitch failed", metadata: ["error": "\(error)"])
        }
    }

    private func stitch(_ grant: LeaseGrant, _ renewal: LeaseRenewal, _ said: SaidLines) async throws -> JoinedMovie {
        guard case .stitch(let task) = grant.payload else { throw Problem.internalFault }
        let parts = try await StitchParts(of: grant.job, store: store, artifacts: artifacts)
        // The movie is about as long as its parts.
        try await artifacts.makeRoom(for: parts.byteCount)
        await shelved?.makeRoom(for: parts.byteCount)
        if let shortage = space.shortage(for: parts.byteCount) { await removeParts(shortage) }
        if let shortage = space.shortage(for: parts.byteCount) { throw shortage }
        let scratch = try await blocking { [folder = artifacts.folder] in try folder.makeScratchFolder() }
        let output = scratch.file("output." + task.container.fileExtension)
        let request = StitchRequest(task: task, pictureParts: parts.pictures, soundParts: parts.sounds, output: output)
        let outcome: RenderProcess.Outcome
        do {
            outcome = try await renderer.run(
                .stitch(request),
                within: RenderLimits(stitching: grant, partBytes: parts.byteCount),
                readable: [parts.folder.path],
                writable: [scratch.path],
                onProgress: { renewal.progress(permille: $0) },
                onLine: { said.note($0) }
            )
        } catch let error as RenderFailed {
            // The child names a part by its digest, as a worker's child names a source.
            guard let culprit = error.failure.asset, parts.digests.contains(culprit) else { throw error }
            throw DamagedPart(digest: culprit, failure: error.failure)
        }
        guard case .artifact(let frameCount) = outcome.result else { throw Problem.internalFault }
        let hashed = try await readingWhole { [folder = artifacts.folder] in try folder.prepare(path: output) }
        CrashPoint.reached("stitch.joined")
        // Under the lease: sending a long movie takes longer than a lease lasts.
        let object = try await artifacts.bucket?.send(file: output, hashed.digest, byteCount: hashed.byteCount)
        CrashPoint.reached("stitch.sent")
        return JoinedMovie(
            folder: scratch,
            path: output,
            hashed: hashed,
            object: object,
            frameCount: frameCount,
            statistics: outcome.statistics
        )
    }

    /// Removes as many parts on which no unfinished job counts as the movie lacks room.
    private func removeParts(_ shortage: DiskShortage) async {
        guard let collection, let total = try? await store.partTotals().byteCount else { return }
        let kept = max(0, total - (shortage.needed - shortage.free))
        guard let removed = try? await collection.removeParts(.beyond(bytes: kept)), !removed.isEmpty else { return }
        logger.info("parts removed", metadata: ["parts": "\(removed.count)"])
    }

    // MARK: Ends

    private func failure(of error: any Error) -> Failure {
        switch error {
        case let error as RenderFailed: error.failure.withoutPaths(below: [artifacts.folder.root])
        case let error as StorageError:
            Failure(code: error.code, message: error.sentenceWithoutPaths, isPermanent: false)
        case let shortage as DiskShortage:
            Failure(code: FarmFailure.noSpace, message: shortage.description, isPermanent: false)
        default: Failure(code: "stitch_failed", message: "Joining the segments failed: \(error)", isPermanent: false)
        }
    }

    /// A part with which the movie cannot be joined, although its bytes are those that came.
    private struct DamagedPart: Error {
        let digest: ContentDigest
        let failure: Failure
    }

    /// Has parts rendered again. It takes this lease, too: the movie waits until they are there.
    private func reject(
        _ parts: [ContentDigest],
        _ failure: Failure,
        _ grant: LeaseGrant,
        _ worker: WorkerID,
        _ logger: Logger
    ) async {
        let names = parts.map(\.description).joined(separator: ", ")
        logger.warning("parts are rendered again", metadata: ["parts": "\(names)", "reason": "\(failure.message)"])
        _ = try? await RetrySchedule.patient.run(on: clock, retrying: \.isUnavailable) {
            () async throws(FarmStoreError) in
            try await store.reject(parts, because: failure)
        }
        await shelved?.remove(parts)
        // A job that has ended meanwhile keeps its parts, and a database that stays away knows nothing.
        await handBack(grant, worker)
    }

    private func report(_ failure: Failure, _ grant: LeaseGrant, _ worker: WorkerID) async {
        if FarmFailure.isFullDisk(failure), await shelved?.giveWay() == true { return await handBack(grant, worker) }
        metrics.failed(failure.code)
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

extension Failure {
    /// The failure of the attempt that made a part which the coordinator's disk has lost.
    fileprivate static let lost = Failure(
        code: FarmFailure.artifactLost,
        message: "The accepted part is gone from the coordinator's disk, or has rotted there; it is rendered again.",
        isPermanent: false
    )

    /// The failure of the attempt that made a part which cannot be joined.
    fileprivate static func damaged(_ cause: Failure) -> Failure {
        let message = "The accepted part cannot be joined and is rendered again. \(cause.message)"
        return Failure(code: FarmFailure.artifactDamaged, message: message, isPermanent: false)
    }
}
