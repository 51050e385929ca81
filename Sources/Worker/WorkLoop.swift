import Client
import Farm
import Foundation
import Logging
import Shared
import Storage

/// Drives a `WorkerMachine`: feeds it what happens, does what it says.
actor WorkLoop {
    private let configuration: WorkerConfiguration
    private let registration: WorkerRegistration
    private let executor: TaskExecutor
    private let logger: Logger
    private var machine: WorkerMachine
    private var timer: Task<Void, Never>?
    /// What runs for each attempt, cancelled when it is discarded.
    private var running: [AttemptID: Task<Void, Never>] = [:]
    private var products: [AttemptID: TaskExecutor.Product] = [:]
    private let ended: AsyncStream<WorkerRefused?>
    private let end: AsyncStream<WorkerRefused?>.Continuation
    private let began = ContinuousClock.now

    init(
        configuration: WorkerConfiguration,
        registration: WorkerRegistration,
        executor: TaskExecutor,
        logger: Logger
    ) {
        self.configuration = configuration
        self.registration = registration
        self.executor = executor
        self.logger = logger
        machine = WorkerMachine(slots: configuration.slots, seed: .random(in: 0 ... .max))
        (ended, end) = AsyncStream.makeStream()
    }

    /// Until the machine exits.
    /// - Throws: ``WorkerRefused``.
    func run() async throws {
        receive(.tick)
        for await refusal in ended {
            if let refusal { throw refusal }
            return
        }
    }

    /// Finishes what is in hand, but hands back what takes longer than `limit`.
    func leave(within limit: Duration) async {
        logger.info("leaving", metadata: ["attempts": "\(machine.attempts.count)"])
        receive(.drainRequested)
        if limit > .zero { try? await Task.sleep(for: limit) }
        receive(.stopRequested)
    }

    private func receive(_ event: WorkerEvent) {
        let effects = machine.handle(event, at: now)
        for effect in effects { perform(effect) }
        setTimer()
    }

    private var now: MonotonicTime {
        let passed = began.duration(to: .now).components
        return MonotonicTime(milliseconds: passed.seconds * 1000 + passed.attoseconds / 1_000_000_000_000_000)
    }

    private func setTimer() {
        timer?.cancel()
        guard let wakeAt = machine.wakeAt else { return }
        let wait = max(0, wakeAt.milliseconds(since: now))
        timer = Task {
            try? await Task.sleep(for: .milliseconds(wait))
            if !Task.isCancelled { receive(.tick) }
        }
    }

    private func perform(_ effect: WorkerEffect) {
        switch effect {
        case .register: ask { try await self.register() }
        case .poll(let worker, let poll, let capacity): ask { await self.poll(worker, poll, capacity) }
        case .sendHeartbeat(let worker, let beat): ask { await self.heartbeat(worker, beat) }
        case .startTask(let grant): start(grant)
        case .upload(let attempt, let artifact): upload(attempt, artifact)
        case .sendComplete(let attempt, let completion): ask { await self.complete(attempt, completion) }
        case .sendFail(let attempt, let failure): ask { await self.fail(attempt, failure) }
        case .sendRelease(let worker, let release): ask { await self.release(worker, release) }
        case .discard(let attempt): discard(attempt)
        case .exit: finish(nil)
        }
    }

    private func ask(_ question: @escaping @Sendable () async throws -> WorkerEvent) {
        Task {
            do {
                receive(try await question())
            } catch {
                finish(error as? WorkerRefused)
            }
        }
    }

    private func finish(_ refusal: WorkerRefused?) {
        timer?.cancel()
        end.yield(refusal)
        end.finish()
    }

    // MARK: The work

    private func start(_ grant: LeaseGrant) {
        logger.info(
            "started",
            metadata: [
                "job": "\(grant.job)", "task": "\(grant.task)", "attempt": "\(grant.attempt)",
                "kind": "\(grant.payload.kind.rawValue)",
            ]
        )
        let attempt = grant.attempt
        running[attempt] = Task { [executor] in
            do {
                let product = try await executor.execute(grant) { permille in
                    Task { await self.receive(.progressed(attempt, permille: permille)) }
                }
                finished(attempt, product)
            } catch {
                guard !Task.isCancelled else { return }
                let failure = Failure(describing: error)
                logger.warning("failed", metadata: ["attempt": "\(attempt)", "reason": "\(failure.message)"])
                receive(.childFailed(attempt, failure))
            }
        }
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

    private func upload(_ attempt: AttemptID, _ artifact: RenderedArtifact) {
        guard let product = products[attempt] else { return }
        running[attempt] = Task { [configuration] in
            let event: WorkerEvent
            do {
                CrashPoint.reached("worker.upload")
                try await configuration.connection.upload(artifact: artifact.digest, from: product.path)
                event = .uploadFinished(attempt)
            } catch {
                let isTransient = (error as? ClientError)?.isTransient ?? false
                event =
                    isTransient ? .uploadUnreachable(attempt) : .uploadRefused(attempt, Failure(describing: error))
            }
            if !Task.isCancelled { receive(event) }
        }
    }

    private func discard(_ attempt: AttemptID) {
        running.removeValue(forKey: attempt)?.cancel()
        products.removeValue(forKey: attempt)?.discard()
    }

    // MARK: The questions

    private nonisolated func register() async throws -> WorkerEvent {
        do {
            let registered = try await configuration.connection.register(registration)
            logger.info("registered", metadata: ["worker": "\(registered.worker)"])
            return .registered(registered)
        } catch .problem(let problem) where problem.status < 500 && problem.status != 429 {
            throw WorkerRefused(problem: problem)
        } catch {
            logger.warning("waiting for the coordinator", metadata: ["reason": "\(error)"])
            return .registrationUnreachable
        }
    }

    private nonisolated func poll(_ worker: WorkerID, _ poll: PollID, _ capacity: Int) async -> WorkerEvent {
        let request = LeasePoll(
            worker: worker,
            poll: poll,
            kinds: registration.kinds,
            capacity: capacity,
            waitMilliseconds: 20_000
        )
        do {
            return .granted(poll, try await configuration.connection.poll(request))
        } catch {
            return error.isUnknownWorker ? .unknownWorker(worker) : .pollUnreachable(poll)
        }
    }

    private nonisolated func heartbeat(_ worker: WorkerID, _ beat: Heartbeat) async -> WorkerEvent {
        do {
            return .heartbeatReplied(try await configuration.connection.heartbeat(beat, from: worker))
        } catch {
            return error.isUnknownWorker ? .unknownWorker(worker) : .heartbeatUnreachable
        }
    }

    private nonisolated func complete(_ attempt: AttemptID, _ completion: TaskCompletion) async -> WorkerEvent {
        do {
            let reply = try await configuration.connection.complete(attempt, completion)
            return .completionReplied(attempt, reply.outcome == .accepted ? .accepted : .alreadyDone)
        } catch {
            guard !error.isTransient, case .problem(let problem) = error else { return .completionUnreachable(attempt) }
            logger.warning("not accepted", metadata: ["attempt": "\(attempt)", "reason": "\(problem.detail)"])
            return .completionReplied(attempt, problem.code == "artifact_conflict" ? .conflict : .leaseLost)
        }
    }

    private nonisolated func fail(_ attempt: AttemptID, _ failure: TaskFailure) async -> WorkerEvent {
        do {
            try await configuration.connection.fail(attempt, failure)
            return .failureReplied(attempt)
        } catch {
            return error.isTransient ? .failureUnreachable(attempt) : .failureReplied(attempt)
        }
    }

    private nonisolated func release(_ worker: WorkerID, _ release: LeaseRelease) async -> WorkerEvent {
        do {
            try await configuration.connection.release(release, from: worker)
            return .releaseReplied
        } catch {
            return error.isTransient ? .releaseUnreachable : .releaseReplied
        }
    }
}

extension ClientError {
    fileprivate var isUnknownWorker: Bool {
        if case .problem(let problem) = self { problem.code == "unknown_worker" } else { false }
    }
}
