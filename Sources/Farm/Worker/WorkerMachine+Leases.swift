import WireProtocol

// Taking and renewing leases.
extension WorkerMachine {
    mutating func granted(_ id: PollID, _ grants: [LeaseGrant], at now: MonotonicTime) -> [WorkerEffect] {
        guard poll?.id == id, poll?.retryAt == nil else { return [] }
        poll = nil
        guard !grants.isEmpty, let worker else { return [] }
        guard phase == .working, !isDraining, !isDoubtful(at: now), !isResting(at: now) else {
            return [.sendRelease(worker.worker, LeaseRelease(attempts: grants.map(\.attempt), leaving: false))]
        }
        held += grants.map { HeldTask($0, at: now) }
        heartbeatAt = heartbeatSent == nil ? now : heartbeatAt
        return grants.map { .startTask($0) }
    }

    mutating func retryPoll(_ id: PollID, at now: MonotonicTime) -> [WorkerEffect] {
        guard var again = poll, again.id == id, again.retryAt == nil else { return [] }
        again.tries += 1
        again.retryAt = now.adding(milliseconds: delay(afterTries: again.tries))
        poll = again
        return []
    }

    mutating func renewed(_ reply: HeartbeatReply, at now: MonotonicTime) -> [WorkerEffect] {
        guard let sent = heartbeatSent, let worker else { return [] }
        heartbeatSent = nil
        heartbeatAt = sent.adding(milliseconds: Int64(worker.heartbeatMilliseconds))
        isDrained = reply.drain
        for index in held.indices where reply.renewed.contains(held[index].attempt) { held[index].renewed = sent }
        let lost = held.filter { !$0.isReporting && reply.lost.contains($0.attempt) }.map(\.attempt)
        held.removeAll { lost.contains($0.attempt) }
        return lost.map { .discard($0) }
    }

    mutating func heartbeatLost(at now: MonotonicTime) -> [WorkerEffect] {
        guard heartbeatSent != nil, let worker else { return [] }
        heartbeatSent = nil
        heartbeatAt = now.adding(milliseconds: Int64(worker.heartbeatMilliseconds) / 4)
        return []
    }

    func isResting(at now: MonotonicTime) -> Bool { restsUntil.map { $0 > now } ?? false }

    func isDoubtful(at now: MonotonicTime) -> Bool { held.contains { $0.isDoubtful(at: now) } }
}
