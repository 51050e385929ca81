import WireProtocol

// Being known to the coordinator, and leaving.
extension WorkerMachine {
    mutating func registration(_ event: WorkerEvent, at now: MonotonicTime) -> [WorkerEffect] {
        switch event {
        case .registered(let registered):
            guard case .registering(nil) = phase else { return [] }
            (worker, phase, tries) = (registered, .working, 0)
            heartbeatAt = now.adding(milliseconds: Int64(registered.heartbeatMilliseconds))
            return []
        case .registrationUnreachable:
            guard case .registering(nil) = phase else { return [] }
            phase = .registering(retryAt: backoff(at: now))
            return []
        case .unknownWorker(let unknown): return unknown == id ? forgotten(at: now) : []
        default: return []
        }
    }

    /// The coordinator's memory of this worker is gone, and with it every lease.
    private mutating func forgotten(at now: MonotonicTime) -> [WorkerEffect] {
        if case .leaving = phase { return exit() }
        guard phase == .working else { return [] }
        guard !isDraining else { return exit() }
        let effects = held.map { WorkerEffect.discard($0.attempt) }
        (held, poll, heartbeatSent, heartbeatAt, worker, tries) = ([], nil, nil, nil, nil, 0)
        phase = .registering(retryAt: now)
        return effects
    }

    /// Whom no coordinator knows has nothing to finish and nobody to tell; one that answers later finds a worker that
    /// is not heard of.
    mutating func drain() -> [WorkerEffect] {
        isLeaving = true
        if case .registering = phase { return exit() }
        return []
    }

    mutating func stop(at now: MonotonicTime) -> [WorkerEffect] {
        isLeaving = true
        guard phase == .working, let worker else {
            if case .leaving = phase { return [] }
            return exit()
        }
        let attempts = attempts
        held = []
        (phase, tries) = (.leaving(retryAt: nil), 0)
        leaveBy = now.adding(milliseconds: Self.goodbyeMilliseconds)
        // Who hands nothing back need not be heard: one goodbye is enough.
        repeatsGoodbye = !attempts.isEmpty
        let release = LeaseRelease(attempts: attempts, leaving: true)
        return attempts.map { .discard($0) } + [.sendRelease(worker.worker, release)]
    }

    /// From the first goodbye to the exit, an answer to the last one awaited or not: a container is killed 10 s after
    /// its SIGTERM, of which the work in hand had 8. Leases that are not handed back expire by themselves.
    private static let goodbyeMilliseconds: Int64 = 1500

    mutating func released(_ event: WorkerEvent, at now: MonotonicTime) -> [WorkerEffect] {
        guard case .leaving(nil) = phase else { return [] }
        let again = backoff(at: now)
        if event == .releaseReplied || !repeatsGoodbye || leaveBy.map({ $0 <= again }) ?? true { return exit() }
        phase = .leaving(retryAt: again)
        return []
    }

    mutating func exit() -> [WorkerEffect] {
        phase = .exited
        return [.exit]
    }
}
