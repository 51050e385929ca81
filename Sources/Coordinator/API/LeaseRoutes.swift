import CompositionModel
import Farm
import Hummingbird
import Logging
import ServiceLifecycle
import Storage
import Timing
import WireProtocol

/// The requests of workers about tasks: polling for leases, completing and failing attempts.
struct LeaseRoutes: RouteGroup {
    let store: any FarmStore
    let calls: WorkerCalls
    let artifacts: ArtifactLibrary
    let tokens: KnownTokens
    let dispatcher: LeaseDispatcher
    let versions: RendererVersions
    let shelved: ShelvedParts?
    let metrics: FarmMetrics
    let names: WorkerNames
    let traces: JobTraces
    let logger: Logger

    /// The longest wait of a poll, in milliseconds.
    private static let longestWait = 30_000
    /// The most tasks that one poll may ask for: no machine has more cores, and each task is a row to lock.
    private static let largestCapacity = 1024

    func add(to table: RouteTable) {
        table.on(.post, "/v1/leases:poll", .worker) { request, context in
            try request.requireJSON()
            try request.checkLength(Int64(BodyLimit.small))
            try await request.invite(context)
            // A handler is not cancelled by itself when its client leaves.
            let grants = try await request.body.consumeWithCancellationOnInboundClose { body in
                let asked = try await Request.decode(LeasePoll.self, body, .init(byteCount: BodyLimit.small), context)
                return try await poll(asked, whileValid: try context.require([.worker]))
            }
            let marked = await traces.marking(grants)
            for grant in marked { log(grant) }
            var response = try Response.json(LeaseGrants(grants: marked))
            // Watching for the client's leaving has used the connection up.
            response.headers[.connection] = "close"
            return response
        }
        table.on(.post, "/v1/attempts/{id}/complete", .worker) { request, context in
            let attempt: AttemptID = try context.identifier()
            let completion = try await request.json(TaskCompletion.self, upTo: BodyLimit.small, context)
            let named = try await named(completion, attempt)
            return try await complete(attempt, named)
        }
        table.on(.get, "/v1/attempts/{id}/readings", .worker) { _, context in
            let attempt: AttemptID = try context.identifier()
            guard let rounds = try await store.readings(of: attempt) else { throw Problem.leaseLost }
            return try .json(AttemptReadings(rounds: rounds))
        }
        table.on(.post, "/v1/attempts/{id}/fail", .worker) { request, context in
            let attempt: AttemptID = try context.identifier()
            let failure = try await named(request.json(TaskFailure.self, upTo: BodyLimit.small, context), attempt)
            if FarmFailure.isFullDisk(failure.failure), await shelved?.giveWay() == true {
                // There is room now: the task begins anew.
                try await store.release(failure.worker, LeaseRelease(attempts: [attempt], leaving: false))
                return .noContent
            }
            guard try await store.fail(attempt, failure) == .recorded else { throw Problem.leaseLost }
            metrics.failed(failure.failure.code, worker: await names.name(of: failure.worker))
            let metadata: Logger.Metadata = [
                "attempt": "\(attempt)", "worker": "\(failure.worker)", "code": "\(failure.failure.code)",
                "reason": "\(failure.failure.message)",
            ]
            let trace = await trace(of: attempt)
            logger.warning("attempt failed", metadata: metadata.with(trace))
            return .noContent
        }
    }

    /// Waits for work of a worker.
    /// - Returns: the leases; empty when there is none in time, at shutdown, when the client has gone, and when the token of
    ///   `principal` ended meanwhile.
    private func poll(_ poll: LeasePoll, whileValid principal: Principal) async throws -> [LeaseGrant] {
        guard !poll.kinds.contains(.stitch) else { throw Problem.stitchIsOurs }
        guard (1...Self.largestCapacity).contains(poll.capacity), poll.waitMilliseconds >= 0 else {
            let limits = "A poll's capacity is 1 to \(Self.largestCapacity) and its wait 0 or more."
            throw Problem.unprocessable("invalid_request", limits)
        }
        var poll = poll
        poll.waitMilliseconds = min(poll.waitMilliseconds, Self.longestWait)
        let asked = poll
        do {
            return try await cancelWhenGracefulShutdown {
                guard principal.credential != nil else { return try await dispatcher.poll(asked) }
                return try await withThrowingTaskGroup(of: [LeaseGrant].self) { group in
                    group.addTask { try await dispatcher.poll(asked) }
                    group.addTask {
                        try await tokens.waitForEnd(of: principal)
                        return []
                    }
                    defer { group.cancelAll() }
                    return try await group.next() ?? []
                }
            }
        } catch is CancellationError {
            // At shutdown a worker is told of no work; when its client has gone, nobody reads this.
            return []
        }
    }

    /// The failure with the asset's name in the edit.
    private func named(_ failure: TaskFailure, _ attempt: AttemptID) async throws -> TaskFailure {
        guard failure.failure.asset != nil, let names = try await names(attempt) else { return failure }
        var named = failure
        named.failure = names.naming(failure.failure)
        return named
    }

    /// The completion with the assets' names in the edit.
    private func named(_ completion: TaskCompletion, _ attempt: AttemptID) async throws -> TaskCompletion {
        guard completion.statistics.warnings != nil, let names = try await names(attempt) else { return completion }
        var named = completion
        named.statistics.changeWarnings(names.naming)
        return named
    }

    /// The names of the assets in the edit that the attempt's job renders; nil for an unknown attempt.
    private func names(_ attempt: AttemptID) async throws -> AssetNames? {
        guard let task = try await store.task(of: attempt) else { return nil }
        return try await AssetNames(ofJob: task.job, in: store)
    }

    private func trace(of attempt: AttemptID) async -> TraceParent? {
        guard let task = try? await store.task(of: attempt) else { return nil }
        return await traces.trace(of: task.job)
    }

    private func log(_ grant: LeaseGrant) {
        let metadata: Logger.Metadata = [
            "job": "\(grant.job)", "task": "\(grant.task)", "attempt": "\(grant.attempt)",
            "kind": "\(grant.payload.kind)",
        ]
        logger.info("granted", metadata: metadata.with(grant.traceparent))
    }

    /// Completes the task of an attempt, while nothing is collected.
    private func complete(_ attempt: AttemptID, _ completion: TaskCompletion) async throws -> Response {
        try await disownIfCutShort(completion)
        let task = try await store.task(of: attempt)
        let outcome = try await artifacts.holding { try await record(attempt, of: task, completion) }
        CrashPoint.reached("complete.after-commit")
        let log = CompletionLog(store: store, metrics: metrics, traces: traces, logger: logger)
        await log.note(outcome, of: attempt, task, completion, done: "attempt completed")
        switch outcome {
        case .accepted:
            if let shelved { await shelved.keep(madeBy: attempt, versions: try await versions.pinned()) }
            return try .json(CompletionReply(outcome: .accepted))
        // To the worker it is done: that another machine confirms it is none of its business.
        case .delivered, .differed: return try .json(CompletionReply(outcome: .accepted))
        case .alreadyDone: return try .json(CompletionReply(outcome: .alreadyDone))
        case .leaseLost: throw Problem.leaseLost
        case .conflict: throw Problem.artifactConflict
        }
    }

    /// Disowns an artifact that came whole and has another length now, so that it is sent again, instead of refusing
    /// the worker for ever.
    private func disownIfCutShort(_ completion: TaskCompletion) async throws {
        let digest = completion.artifact
        // The length of an object is the one with which it was stored.
        guard artifacts.bucket == nil, let stored = try await artifacts.byteCount(of: digest),
            stored != completion.byteCount
        else { return }
        do {
            try await readingWhole { [folder = artifacts.folder] in try folder.verify(folder.open(digest)) }
        } catch StorageError.wrongDigest {
            logger.warning("an artifact has rotted", metadata: ["artifact": "\(digest)", "bytes": "\(stored)"])
        }
    }

    /// Checks that the artifact is here, and commits the completion.
    private func record(
        _ attempt: AttemptID,
        of task: TaskRecord?,
        _ completion: TaskCompletion
    ) async throws -> CompletionOutcome {
        guard completion.statistics.isPossible else {
            throw Problem.unprocessable(
                "invalid_request",
                "Numbers of the statistics are milliseconds and bytes, from 0 to \(TaskStatistics.largest)."
            )
        }
        // Its digest was checked when it came; what is stored under a digest has it.
        let stored = try await artifacts.byteCount(of: completion.artifact)
        guard let stored else {
            throw Problem.conflict("artifact_missing", "\(completion.artifact) is not stored here; send it first.")
        }
        guard stored == completion.byteCount else {
            throw Problem.unprocessable(
                "artifact_size",
                "\(completion.artifact) has \(stored) bytes and not \(completion.byteCount)."
            )
        }
        try await requirePart(attempt, of: task, completion)
        CrashPoint.reached("complete.before-commit")
        return try await calls.complete(attempt, of: task?.job, completion)
    }

    /// Refuses what cannot be the part that the task asks for. It is the attempt's failure, so that another worker tries.
    private func requirePart(_ attempt: AttemptID, of task: TaskRecord?, _ completion: TaskCompletion) async throws {
        guard let task, [.picture, .sound].contains(task.kind) else { return }
        let frame = try await PacketFileFrame(artifacts.reader(completion.artifact))
        if let frame, frame.packetCount > 0 {
            if task.kind == .sound || task.frames?.count == frame.unitCount { return }
        }
        let sentence = "\(completion.artifact) is no packet file of what the task asks for; another worker renders it."
        let failure = Failure(code: FarmFailure.artifactDamaged, message: sentence, isPermanent: false)
        _ = try await store.fail(attempt, TaskFailure(worker: completion.worker, failure: failure))
        metrics.failed(failure.code, worker: await names.name(of: completion.worker))
        logger.warning("a part is damaged", metadata: ["attempt": "\(attempt)", "worker": "\(completion.worker)"])
        throw Problem.unprocessable(FarmFailure.artifactDamaged, sentence)
    }
}
