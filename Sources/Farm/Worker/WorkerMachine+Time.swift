import WireProtocol

// What the time brings.
extension WorkerMachine {
    /// The latest time at which `tick` must come; nil once the worker has exited, or while only answers are awaited.
    package var wakeAt: MonotonicTime? {
        var times = [poll?.retryAt.map { max($0, restsUntil ?? $0) }]
        switch phase {
        case .registering(let retryAt): times.append(retryAt)
        case .leaving(let retryAt): times += [retryAt, leaveBy]
        case .working:
            times.append(heartbeatSent == nil ? heartbeatAt : nil)
            if poll == nil, !isDraining, held.count < slots { times.append(restsUntil) }
        case .exited: return nil
        }
        times += held.map { $0.retryAt ?? ($0.step == .running ? $0.deadline : nil) }
        return times.compactMap(\.self).min()
    }

    mutating func advance(at now: MonotonicTime) -> [WorkerEffect] {
        switch phase {
        case .registering(let retryAt?) where retryAt <= now:
            phase = .registering(retryAt: nil)
            return [.register]
        case .leaving where leaveBy.map { $0 <= now } ?? false: return exit()
        case .leaving(let retryAt?) where retryAt <= now: return leave()
        case .working: return advanceWork(at: now)
        default: return []
        }
    }

    private mutating func advanceWork(at now: MonotonicTime) -> [WorkerEffect] {
        let effects = pastDeadline(at: now) + repeatedRequests(at: now) + dueHeartbeat(at: now) + duePoll(at: now)
        guard isDraining, held.isEmpty else { return effects }
        return effects + stop(at: now)
    }

    private mutating func leave() -> [WorkerEffect] {
        guard let worker else { return exit() }
        phase = .leaving(retryAt: nil)
        return [.sendRelease(worker.worker, LeaseRelease(attempts: [], leaving: true))]
    }

    private mutating func pastDeadline(at now: MonotonicTime) -> [WorkerEffect] {
        held.indices.filter { held[$0].step == .running && held[$0].deadline <= now }.flatMap {
            go($0, to: .failing(FarmFailure.pastDeadline))
        }
    }

    private mutating func repeatedRequests(at now: MonotonicTime) -> [WorkerEffect] {
        guard let worker else { return [] }
        return held.indices.compactMap { index in
            guard let retryAt = held[index].retryAt, retryAt <= now else { return nil }
            held[index].retryAt = nil
            return held[index].request(by: worker.worker)
        }
    }

    private mutating func dueHeartbeat(at now: MonotonicTime) -> [WorkerEffect] {
        guard let worker, heartbeatSent == nil, let due = heartbeatAt, due <= now else { return [] }
        (heartbeatSent, heartbeatAt) = (now, nil)
        let progress = held.map { AttemptProgress(attempt: $0.attempt, permille: $0.permille) }
        return [.sendHeartbeat(worker.worker, Heartbeat(attempts: progress))]
    }

    private mutating func duePoll(at now: MonotonicTime) -> [WorkerEffect] {
        if let until = restsUntil, until <= now { restsUntil = nil }
        guard let worker, !isDraining, restsUntil == nil, held.count < slots, !isDoubtful(at: now) else { return [] }
        if let waiting = poll, waiting.retryAt.map({ $0 > now }) ?? true { return [] }
        poll = Poll(id: poll?.id ?? nextPoll(at: now), retryAt: nil, tries: poll?.tries ?? 0)
        return poll.map { [.poll(worker: worker.worker, poll: $0.id, capacity: slots - held.count)] } ?? []
    }

    private mutating func nextPoll(at now: MonotonicTime) -> PollID {
        PollID(milliseconds: UInt64(clamping: now.milliseconds), using: &generator)
    }

    mutating func backoff(at now: MonotonicTime) -> MonotonicTime {
        tries += 1
        return now.adding(milliseconds: delay(afterTries: tries))
    }

    /// The delay before the next try, in milliseconds: 250 ms doubling to 4 s, and up to half as much again, so that a
    /// farm does not come back in step.
    mutating func delay(afterTries tries: Int) -> Int64 {
        let delay = min(4000, Int64(250) << Int64(min(tries - 1, 5)))
        return delay + Int64.random(in: 0...(delay / 2), using: &generator)
    }
}
