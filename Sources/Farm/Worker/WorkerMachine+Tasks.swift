import CompositionModel
import WireProtocol

// One task, from the child to the last answer.
extension WorkerMachine {
    mutating func taskEvent(_ event: WorkerEvent, at now: MonotonicTime) -> [WorkerEffect] {
        guard let attempt = event.attempt, let index = held.firstIndex(where: { $0.attempt == attempt }),
            held[index].retryAt == nil
        else { return [] }
        switch (held[index].step, event) {
        case (.running, .progressed(_, let permille)): held[index].permille = min(1000, max(0, permille))
        case (.running, .childFinished(_, let artifact)):
            fullDisks = 0
            return go(index, to: .uploading(artifact))
        case (.running, .childFailed(_, let failure)):
            if failure.code == FarmFailure.workerNoSpace { rest(at: now) }
            return go(index, to: .failing(failure))
        case (.uploading(let artifact), .uploadFinished): return go(index, to: .completing(artifact))
        case (.uploading, .uploadRefused(_, let failure)): return refused(index, failure, at: now)
        case (.completing(let artifact), .completionRefused(_, let failure)):
            held[index].step = .uploading(artifact)
            held[index].isCopyBad = true
            return refused(index, failure, at: now)
        case (.completing, .completionReplied): return finish(index)
        case (.failing, .failureReplied): return finish(index)
        case (.uploading, .uploadUnreachable), (.completing, .completionUnreachable), (.failing, .failureUnreachable):
            retry(index, at: now)
        default: break
        }
        return []
    }

    mutating func go(_ index: Int, to step: HeldTask.Step) -> [WorkerEffect] {
        held[index].step = step
        held[index].tries = 0
        guard let worker, let request = held[index].request(by: worker.worker) else { return [] }
        if case .failing = step { return [.discard(held[index].attempt), request] }
        return [request]
    }

    /// A flipped bit on the way, or an artifact that got lost, is worth another try; a full disk or a rotten file of
    /// ours is not for ever.
    private mutating func refused(_ index: Int, _ failure: Failure, at now: MonotonicTime) -> [WorkerEffect] {
        held[index].refusals += 1
        if held[index].refusals >= 3 { return go(index, to: .failing(failure)) }
        retry(index, at: now)
        return []
    }

    private mutating func retry(_ index: Int, at now: MonotonicTime) {
        held[index].tries += 1
        held[index].retryAt = now.adding(milliseconds: delay(afterTries: held[index].tries))
    }

    /// Takes nothing for a while: 2 s after the first full disk, doubling to 16 s.
    private mutating func rest(at now: MonotonicTime) {
        // Tasks that fail at one moment met one full disk.
        guard !isResting(at: now) else { return }
        restsUntil = now.adding(milliseconds: 2000 << Int64(min(fullDisks, 3)))
        fullDisks += 1
    }

    private mutating func finish(_ index: Int) -> [WorkerEffect] {
        let task = held.remove(at: index)
        if case .failing = task.step { return [] }
        return [.discard(task.attempt)]
    }
}

extension WorkerEvent {
    /// The attempt that the event is about, of those that are about one.
    fileprivate var attempt: AttemptID? {
        switch self {
        case .progressed(let attempt, _), .childFinished(let attempt, _), .childFailed(let attempt, _),
            .uploadFinished(let attempt), .uploadUnreachable(let attempt), .uploadRefused(let attempt, _),
            .completionReplied(let attempt, _), .completionUnreachable(let attempt),
            .completionRefused(let attempt, _), .failureReplied(let attempt), .failureUnreachable(let attempt):
            attempt
        default: nil
        }
    }
}
