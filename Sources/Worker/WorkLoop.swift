import Client
import CompositionModel
import Farm
import Foundation
import Logging
import Storage
import Timing
import WireProtocol

/// Drives a `WorkerMachine`: it passes events to the machine and carries out the effects that the machine returns.
actor WorkLoop {
    private let session: CoordinatorSession
    private let executor: TaskExecutor
    /// Probes what clients sent to the farm's bucket, where the coordinator asks for that.
    private let probing: ProbeLoop?
    private let logs: AttemptLogs
    private let logger: Logger
    private var machine: WorkerMachine
    private var timer: Task<Void, Never>?
    /// The renderings by number, until they have ended. One is cancelled when its attempt is discarded, and ends some time
    /// after that: meanwhile a poll that is repeated may have granted the same attempt again.
    private var rendering: [Int: (attempt: AttemptID, task: Task<Void, Never>)] = [:]
    private var renderingCount = 0
    /// The upload for each attempt, which is cancelled when the attempt is discarded.
    private var uploads: [AttemptID: Task<Void, Never>] = [:]
    private var products: [AttemptID: TaskExecutor.Product] = [:]
    private var isOver = false
    private let ended: AsyncStream<WorkerRefused?>
    private let end: AsyncStream<WorkerRefused?>.Continuation
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch

    init(
        slots: Int,
        session: CoordinatorSession,
        executor: TaskExecutor,
        probing: ProbeLoop? = nil,
        logs: AttemptLogs,
        clock: any Clock<Duration>,
        logger: Logger
    ) {
        self.session = session
        self.executor = executor
        self.probing = probing
        self.logs = logs
        self.clock = clock
        stopwatch = Stopwatch(on: clock)
        self.logger = logger
        machine = WorkerMachine(slots: slots, seed: .random(in: 0 ... .max))
        (ended, end) = AsyncStream.makeStream()
    }

    /// Works until the machine exits. Cancelling the task breaks the work off without a goodbye. When this returns, no
    /// render process of this worker runs and nothing unfinished is on its disk.
    /// - Throws: ``WorkerRefused`` when the coordinator does not want this worker.
    func run() async throws {
        receive(.tick)
        var reason: WorkerRefused?
        for await refusal in ended {
            reason = refusal
            break
        }
        finish(nil)
        while let last = rendering.values.first?.task { await last.value }
        await probing?.stop()
        if let reason { throw reason }
    }

    /// Finishes the running tasks, and hands back those that take longer than `limit`.
    func leave(within limit: Duration) async {
        logger.info("leaving", metadata: ["attempts": "\(machine.attempts.count)"])
        receive(.drainRequested)
        Task { await probing?.stop() }
        if limit > .zero { try? await clock.sleep(for: limit) }
        receive(.stopRequested)
    }

    /// Gives an event to the machine and carries out the effects.
    private func receive(_ event: WorkerEvent) {
        guard !isOver else { return }
        if case .heartbeatReplied(let reply) = event, reply.drain, !machine.isDraining {
            logger.notice("the coordinator gives this worker no more work; it leaves when it has ended what it has")
        }
        if case .registered(let registered) = event, registered.probes == true { Task { await probing?.start() } }
        let wasDraining = machine.isDraining
        let effects = machine.handle(event, at: now)
        if wasDraining, !machine.isDraining { logger.notice("the coordinator gives this worker work again") }
        for effect in effects { perform(effect) }
        setTimer()
    }

    private var now: MonotonicTime {
        let passed = stopwatch.elapsed.components
        return MonotonicTime(milliseconds: passed.seconds * 1000 + passed.attoseconds / 1_000_000_000_000_000)
    }

    /// Sets the timer that wakes the machine at the time it asked for.
    private func setTimer() {
        timer?.cancel()
        guard let wakeAt = machine.wakeAt else { return }
        let wait = max(0, wakeAt.milliseconds(since: now))
        timer = Task {
            try? await clock.sleep(for: .milliseconds(wait))
            if !Task.isCancelled { receive(.tick) }
        }
    }

    private func perform(_ effect: WorkerEffect) {
        switch effect {
        case .register: ask { [session] () async throws(WorkerRefused) in try await session.register() }
        case .poll(let worker, let poll, let capacity):
            ask { [session] () async throws(WorkerRefused) in try await session.poll(worker, poll, capacity: capacity) }
        case .sendHeartbeat(let worker, let beat):
            ask { [session] () async throws(WorkerRefused) in try await session.heartbeat(worker, beat) }
        case .startTask(let grant): start(grant)
        case .upload(let attempt, let artifact, let isForced): upload(attempt, artifact, isForced: isForced)
        case .sendComplete(let attempt, let completion):
            ask { [session] () async throws(WorkerRefused) in try await session.complete(attempt, completion) }
        case .sendFail(let attempt, let failure):
            ask { [session] () async throws(WorkerRefused) in try await session.fail(attempt, failure) }
        case .sendRelease(let worker, let release):
            ask { [session] () async throws(WorkerRefused) in try await session.release(worker, release) }
        case .discard(let attempt): discard(attempt)
        case .exit: finish(nil)
        }
    }

    /// Sends a request and gives its answer to the machine.
    @discardableResult
    private func ask(
        _ question: @escaping @Sendable () async throws(WorkerRefused) -> WorkerEvent
    ) -> Task<Void, Never> {
        Task {
            do throws(WorkerRefused) {
                let event = try await question()
                if !Task.isCancelled { receive(event) }
            } catch {
                finish(error)
            }
        }
    }

    /// Ends ``run()`` and removes all unfinished work. The second call does nothing.
    /// - Parameter refusal: the reason; nil for a goodbye.
    private func finish(_ refusal: WorkerRefused?) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        for task in rendering.values.map(\.task) { task.cancel() }
        for task in uploads.values { task.cancel() }
        for product in products.values { product.discard() }
        end.yield(refusal)
        end.finish()
    }

    // MARK: The work

    private func start(_ grant: LeaseGrant) {
        var logger = logger
        logger[metadataKey: "attempt"] = "\(grant.attempt)"
        if let trace = grant.traceparent { logger[metadataKey: "trace"] = "\(trace.trace)" }
        logger.info(
            "started",
            metadata: ["job": "\(grant.job)", "task": "\(grant.task)", "kind": "\(grant.payload.kind.rawValue)"]
        )
        let attempt = grant.attempt
        renderingCount += 1
        let number = renderingCount
        logs.note(attempt, "started: \(grant.payload.kind.rawValue) on \(ProcessInfo.processInfo.hostName)")
        let task = Task { [executor, logs, logger] in
            defer { rendering[number] = nil }
            do {
                let product = try await executor.execute(grant, onLine: { logs.note(attempt, $0) }) { permille in
                    Task { await self.receive(.progressed(attempt, permille: permille)) }
                }
                logs.note(attempt, product.sentence)
                logger.info("rendered", metadata: ["bytes": "\(product.byteCount)"])
                finished(attempt, product)
            } catch {
                guard !Task.isCancelled else { return }
                let failure = Failure(describing: error)
                logs.note(attempt, "failed: \(failure.message)")
                logger.warning("failed", metadata: ["reason": "\(failure.message)"])
                receive(.childFailed(attempt, failure))
            }
        }
        rendering[number] = (attempt, task)
    }

    private func finished(_ attempt: AttemptID, _ product: TaskExecutor.Product) {
        guard !Task.isCancelled, machine.attempts.contains(attempt) else { return product.discard() }
        products[attempt] = product
        receive(
            .childFinished(
                attempt,
                RenderedArtifact(
                    digest: product.digest,
                    byteCount: product.byteCount,
                    unitCount: product.unitCount,
                    statistics: product.statistics
                )
            )
        )
    }

    private func upload(_ attempt: AttemptID, _ artifact: RenderedArtifact, isForced: Bool) {
        guard let path = products[attempt]?.path else { return }
        CrashPoint.reached("worker.upload")
        uploads[attempt] = ask { [session] () async throws(WorkerRefused) in
            try await session.upload(attempt, artifact.digest, from: path, isForced: isForced)
        }
    }

    private func discard(_ attempt: AttemptID) {
        for rendering in rendering.values where rendering.attempt == attempt { rendering.task.cancel() }
        uploads.removeValue(forKey: attempt)?.cancel()
        products.removeValue(forKey: attempt)?.discard()
    }
}
