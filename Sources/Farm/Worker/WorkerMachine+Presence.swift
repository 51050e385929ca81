import Shared

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
        let effects = held.map { WorkerEffect.discard($0.attempt) }
        (held, poll, heartbeatSent, heartbeatAt, worker, tries) = ([], nil, nil, nil, nil, 0)
        phase = .registering(retryAt: now)
        return effects
    }

    mutating func stop() -> [WorkerEffect] {
        isDraining = true
        guard phase == .working, let worker else {
            if case .leaving = phase { return [] }
            return exit()
        }
        let attempts = attempts
        held = []
        // Who hands nothing back need not be heard: one goodbye is enough.
        (phase, tries) = (.leaving(retryAt: nil), attempts.isEmpty ? Self.mostGoodbyes : 0)
        let release = LeaseRelease(attempts: attempts, leaving: true)
        return attempts.map { .discard($0) } + [.sendRelease(worker.worker, release)]
    }

    private static let mostGoodbyes = 5

    mutating func released(_ event: WorkerEvent, at now: MonotonicTime) -> [WorkerEffect] {
        guard case .leaving(nil) = phase else { return [] }
        // Leases that are not handed back expire by themselves: no reason to stay for ever.
        if event == .releaseReplied || tries >= Self.mostGoodbyes { return exit() }
        phase = .leaving(retryAt: backoff(at: now))
        return []
    }

    mutating func exit() -> [WorkerEffect] {
        phase = .exited
        return [.exit]
    }
}
