import Client
import CompositionModel
import Farm
import Logging
import Storage
import Synchronization
package import WireProtocol

/// Sends a worker's requests to its coordinator. One event answers each; if no answer came, or another try may change
/// it, the event says so and the machine asks again.
///
/// A refusal of the worker itself (its token, its versions) is no event but an error, because none of its requests will
/// be answered.
final class CoordinatorSession: Sendable {
    private let connection: CoordinatorConnection
    private let registration: WorkerRegistration
    /// The folder of this worker, whose paths nobody else needs to know.
    private let ownFolder: String
    private let logs: AttemptLogs
    private let logger: Logger
    /// What the heartbeats say of the machine; nil for nothing.
    private let gauge: MachineGauge?
    /// Whether the last request had no answer. It is written to the log once, not at every try.
    private let isAway = Mutex(false)
    /// What is sent of an attempt's lines now. The next lines of it go after them, so that they keep their order.
    private let saying = Mutex<[AttemptID: Task<Bool, Never>]>([:])

    init(
        connection: CoordinatorConnection,
        registration: WorkerRegistration,
        ownFolder: String,
        logs: AttemptLogs,
        logger: Logger,
        gauge: MachineGauge? = nil
    ) {
        self.connection = connection
        self.logs = logs
        self.registration = registration
        self.ownFolder = ownFolder
        self.logger = logger
        self.gauge = gauge
    }

    /// Registers the worker.
    /// - Throws: ``WorkerRefused`` when the coordinator does not want it.
    func register() async throws(WorkerRefused) -> WorkerEvent {
        do {
            let registered = try await connection.register(registration)
            answered()
            logger.info("registered", metadata: ["worker": "\(registered.worker)"])
            return .registered(registered)
        } catch {
            try unanswered(error, "register")
            if case .problem(let problem) = error, !error.isTransient { throw WorkerRefused(problem: problem) }
            return .registrationUnreachable
        }
    }

    /// Asks for up to `capacity` tasks, and waits up to 20 s for them.
    /// - Throws: ``WorkerRefused`` when the token is no longer valid.
    func poll(_ worker: WorkerID, _ poll: PollID, capacity: Int) async throws(WorkerRefused) -> WorkerEvent {
        let request = LeasePoll(
            worker: worker,
            poll: poll,
            kinds: registration.kinds,
            capacity: capacity,
            waitMilliseconds: 20_000
        )
        do {
            let grants = try await connection.poll(request)
            answered()
            return .granted(poll, grants)
        } catch {
            try unanswered(error, "poll")
            return error.isUnknownWorker ? .unknownWorker(worker) : .pollUnreachable(poll)
        }
    }

    /// Renews the leases.
    /// - Throws: ``WorkerRefused`` when the token is no longer valid.
    func heartbeat(_ worker: WorkerID, _ beat: Heartbeat) async throws(WorkerRefused) -> WorkerEvent {
        do {
            var beat = beat
            beat.machine = await gauge?.reading()
            let reply = try await connection.heartbeat(beat, from: worker)
            answered()
            for attempt in logs.attempts { guard await say(attempt, worker) else { break } }
            return .heartbeatReplied(reply)
        } catch {
            try unanswered(error, "heartbeat")
            return error.isUnknownWorker ? .unknownWorker(worker) : .heartbeatUnreachable
        }
    }

    /// Stores the artifact of an attempt.
    /// - Parameter isForced: Whether the artifact is sent even if the coordinator says that it has it.
    /// - Throws: ``WorkerRefused`` when the token is no longer valid.
    func upload(
        _ attempt: AttemptID,
        _ digest: ContentDigest,
        from path: String,
        isForced: Bool
    ) async throws(WorkerRefused) -> WorkerEvent {
        do {
            try await connection.upload(artifact: digest, from: path, isForced: isForced)
            answered()
            return .uploadFinished(attempt)
        } catch {
            try unanswered(error, "upload")
            return error.isTransient && !error.isFullOrFailingDisk
                ? .uploadUnreachable(attempt) : .uploadRefused(attempt, Failure(describing: error))
        }
    }

    /// Reports the artifact of an attempt.
    /// - Throws: ``WorkerRefused`` when the token is no longer valid.
    func complete(_ attempt: AttemptID, _ completion: TaskCompletion) async throws(WorkerRefused) -> WorkerEvent {
        await say(attempt, completion.worker)
        do {
            let reply = try await connection.complete(attempt, completion)
            answered()
            return .completionReplied(attempt, reply.outcome == .accepted ? .accepted : .alreadyDone)
        } catch {
            try unanswered(error, "complete")
            guard case .problem(let problem) = error, !error.isTransient else { return .completionUnreachable(attempt) }
            return switch problem.code {
            case "lease_lost": .completionReplied(attempt, .leaseLost)
            case "artifact_conflict": .completionReplied(attempt, .conflict)
            case _ where error.isUnknownWorker: .unknownWorker(completion.worker)
            default: .completionRefused(attempt, Failure(describing: error))
            }
        }
    }

    /// Reports that an attempt failed, without the paths of this worker.
    /// - Throws: ``WorkerRefused`` when the token is no longer valid.
    func fail(_ attempt: AttemptID, _ failure: TaskFailure) async throws(WorkerRefused) -> WorkerEvent {
        var failure = failure
        failure.failure = failure.failure.withoutPaths(below: [ownFolder])
        await say(attempt, failure.worker)
        do {
            try await connection.fail(attempt, failure)
            answered()
            return .failureReplied(attempt)
        } catch {
            try unanswered(error, "fail")
            if error.isUnknownWorker { return .unknownWorker(failure.worker) }
            return error.isTransient ? .failureUnreachable(attempt) : .failureReplied(attempt)
        }
    }

    /// Hands leases back, or says goodbye.
    /// - Throws: ``WorkerRefused`` when the token is no longer valid.
    func release(_ worker: WorkerID, _ release: LeaseRelease) async throws(WorkerRefused) -> WorkerEvent {
        do {
            try await connection.release(release, from: worker)
            answered()
            return .releaseReplied
        } catch {
            try unanswered(error, "release")
            return error.isTransient ? .releaseUnreachable : .releaseReplied
        }
    }

    /// Sends what was said about an attempt, after what is being sent of it.
    /// - Returns: false when no answer came.
    @discardableResult
    private func say(_ attempt: AttemptID, _ worker: WorkerID) async -> Bool {
        let turn = saying.withLock { saying in
            let turn = Task { [before = saying[attempt]] in
                _ = await before?.value
                return await send(attempt, worker)
            }
            saying[attempt] = turn
            return turn
        }
        defer { saying.withLock { if $0[attempt] == turn { $0[attempt] = nil } } }
        return await withTaskCancellationHandler {
            await turn.value
        } onCancel: {
            turn.cancel()
        }
    }

    /// Sends what was said about an attempt, without the paths of this worker. Lines that no answer came for are kept for
    /// the next time; those that are refused are dropped.
    /// - Returns: false when no answer came.
    private func send(_ attempt: AttemptID, _ worker: WorkerID) async -> Bool {
        guard let taken = logs.take(attempt) else { return true }
        let lines = taken.map { LogLine(at: $0.at, text: $0.text.replacing(ownFolder + "/", with: "")) }
        do throws(ClientError) {
            try await connection.say(LogLines(worker: worker, lines: lines), of: attempt)
        } catch {
            guard case .unreachable = error else { return true }
            logs.putBack(taken, attempt)
            return false
        }
        return true
    }

    /// Notes that the coordinator answers.
    private func answered() {
        let wasAway = isAway.withLock { away in
            defer { away = false }
            return away
        }
        if wasAway { logger.info("the coordinator answers again") }
    }

    /// Notes a request without an answer.
    /// - Throws: ``WorkerRefused`` when the coordinator does not let this worker in: 401 and 403 mean the token,
    ///   whatever was asked.
    private func unanswered(_ error: ClientError, _ question: String) throws(WorkerRefused) {
        if case .cancelled = error { return }
        if case .problem(let problem) = error {
            if problem.status == 401 || problem.status == 403 { throw WorkerRefused(problem: problem) }
            logger.warning(
                "refused",
                metadata: ["question": "\(question)", "code": "\(problem.code)", "reason": "\(problem.detail)"]
            )
            return
        }
        let isNews = isAway.withLock { away in
            defer { away = true }
            return !away
        }
        if isNews { logger.warning("waiting for the coordinator", metadata: ["reason": "\(error)"]) }
    }
}

/// The coordinator does not want this worker; trying again cannot help.
package struct WorkerRefused: Error, Sendable, CustomStringConvertible {
    /// The coordinator's refusal.
    package let problem: Problem

    /// The sentence for the user.
    package var description: String { problem.detail }
}

extension ClientError {
    /// Whether the coordinator has forgotten this worker: 404 `unknown_worker`.
    fileprivate var isUnknownWorker: Bool {
        if case .problem(let problem) = self { problem.code == "unknown_worker" } else { false }
    }

    /// Whether the coordinator answers but cannot store what it receives. Then the part is not sent again until the
    /// lease's deadline; the failure is reported instead.
    fileprivate var isFullOrFailingDisk: Bool {
        guard case .problem(let problem) = self else { return false }
        return problem.status == 507 || problem.code == "storage_failed"
    }
}
