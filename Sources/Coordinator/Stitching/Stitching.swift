import Farm
import Logging
import Sandbox
import Shared
import Storage

/// One stitch task from its grant to its completion, failure or loss.
struct Stitching: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactStore
    let renderer: RenderProcess
    let logger: Logger

    /// Returns once the attempt is over for this coordinator, whatever its end. Cancelling hands it back.
    func run(_ grant: LeaseGrant, _ worker: WorkerRegistered) async {
        var logger = logger
        logger[metadataKey: "job"] = "\(grant.job)"
        logger[metadataKey: "task"] = "\(grant.task)"
        logger[metadataKey: "attempt"] = "\(grant.attempt)"
        do {
            let keeper = LeaseRenewal(store: store, worker: worker, attempt: grant.attempt)
            let completion = try await keeper.whileHeld { try await stitch(grant, worker.worker, keeper) }
            let outcome = try await patiently { () throws(FarmStoreError) in
                try await store.complete(grant.attempt, completion)
            }
            logger.info("output joined", metadata: ["outcome": "\(outcome)", "artifact": "\(completion.artifact)"])
        } catch is LeaseRenewal.Lost {
            logger.info("stitch lease lost")
        } catch is CancellationError {
            await handBack(grant, worker.worker)
        } catch {
            await report(failure(of: error), grant, worker.worker)
            logger.warning("stitch failed", metadata: ["error": "\(error)"])
        }
    }

    private func stitch(_ grant: LeaseGrant, _ worker: WorkerID, _ keeper: LeaseRenewal) async throws -> TaskCompletion
    {
        guard case .stitch(let task) = grant.payload else { throw Problem.internalFault }
        let parts = try await parts(of: grant.job)
        let scratch = try artifacts.makeScratchFolder()
        let output = scratch.file("output." + task.container.fileExtension)
        let request = StitchRequest(task: task, pictureParts: parts.pictures, sound: parts.sound, output: output)
        let outcome = try await renderer.run(
            .stitch(request),
            readable: [parts.folder.path],
            writable: [scratch.path],
            onProgress: { keeper.progress(permille: $0) }
        )
        guard case .artifact(let frameCount) = outcome.result else { throw Problem.internalFault }
        // Cancelled meanwhile: then the movie must not appear.
        try await keeper.renew()
        let movie = try await blocking { try artifacts.adopt(path: output) }
        CrashPoint.reached("stitch.stored")
        return TaskCompletion(
            worker: worker,
            artifact: movie.digest,
            byteCount: movie.byteCount,
            unitCount: frameCount,
            statistics: outcome.statistics
        )
    }

    // MARK: Parts

    private struct Parts: Sendable {
        /// Holds the files below while the child reads them.
        var folder: ScratchFolder
        var pictures: [String]
        var sound: String?
    }

    /// The accepted artifacts in the order of the timeline, each read once to see that it has not rotted.
    private func parts(of job: JobID) async throws -> Parts {
        let tasks = try await store.tasks(of: job).filter { $0.kind != .stitch }
        let digests = try tasks.map { task in
            guard let digest = task.artifact else { throw StorageError.missing("task \(task.id)") }
            return digest
        }
        let (folder, paths) = try await blocking { try artifacts.gather(digests) }
        let parts = zip(tasks, paths)
        return Parts(
            folder: folder,
            pictures: parts.filter { $0.0.kind == .picture }.map(\.1),
            sound: parts.first { $0.0.kind == .sound }?.1
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
        _ = try? await patiently { () throws(FarmStoreError) in
            try await store.fail(grant.attempt, TaskFailure(worker: worker, failure: failure))
        }
    }

    private func handBack(_ grant: LeaseGrant, _ worker: WorkerID) async {
        let release = LeaseRelease(attempts: [grant.attempt], leaving: false)
        await insist { [store] in try await store.release(worker, release) }
    }

    /// Repeats while the database does not answer, for a minute: the work is done and would be lost.
    private func patiently<Value>(_ ask: () async throws(FarmStoreError) -> Value) async throws -> Value {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do throws(FarmStoreError) {
                return try await ask()
            } catch {
                guard case .unavailable = error, ContinuousClock.now < end else { throw error }
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}
