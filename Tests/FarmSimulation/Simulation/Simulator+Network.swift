import CompositionModel
import Farm
import WireProtocol

// What happens on the way between workers and coordinators, and at the coordinators.
extension Simulator {
    mutating func send(
        _ body: SimulatedRequest.Body,
        from worker: Int,
        within limit: Int64 = 3000,
        unless unreachable: WorkerEvent
    ) {
        nextRequest += 1
        let request = SimulatedRequest(
            id: nextRequest,
            worker: worker,
            incarnation: workers[worker].incarnation,
            body: body,
            unreachable: unreachable
        )
        workers[worker].waiting.insert(request.id)
        answer(request, unreachable, after: limit)
        guard !workers[worker].losesRequests, !happens(lossyNetwork > 0 ? 250 : 0) else { return }
        let coordinator = Int(random(0...Int64(coordinators.count - 1)))
        queue.schedule(.deliver(request, coordinator: coordinator), at: now + delay())
        if happens(lossyNetwork > 0 ? 200 : 10) {
            queue.schedule(.deliver(request, coordinator: coordinator), at: now + delay())
        }
    }

    /// Mostly a few milliseconds; sometimes, and more so in a lossy network, many seconds, long after everybody gave
    /// up.
    private mutating func delay() -> Int64 {
        happens(lossyNetwork > 0 ? 100 : scenario.isCalm ? 0 : 2) ? random(1000...15_000) : random(1...20)
    }

    /// Tells the worker, surely.
    private mutating func answer(_ request: SimulatedRequest, _ event: WorkerEvent, after delay: Int64) {
        let tell = Action.tell(
            worker: request.worker,
            incarnation: request.incarnation,
            event,
            request: request.id
        )
        queue.schedule(tell, at: now + delay)
    }

    /// An answer on its way back, that may get lost.
    private mutating func reply(_ event: WorkerEvent, to request: SimulatedRequest) {
        guard !workers[request.worker].losesReplies, !happens(lossyNetwork > 0 ? 250 : 0) else { return }
        answer(request, event, after: delay())
    }

    mutating func deliver(_ request: SimulatedRequest, to number: Int) {
        guard coordinators[number].isRunning else { return answer(request, request.unreachable, after: 1) }
        if now < databaseStalledUntil {
            return queue.schedule(.deliver(request, coordinator: number), at: databaseStalledUntil + random(0...200))
        }
        switch request.body {
        case .poll(let poll): wait(poll, request, at: number)
        case .upload(let attempt, let artifact): reply(store(attempt, artifact), to: request)
        default:
            reply(serve(request.body), to: request)
            wakeDispatchers()
        }
    }

    private mutating func serve(_ body: SimulatedRequest.Body) -> WorkerEvent {
        switch body {
        case .register(let registration): return .registered(farm.registerWorker(registration, at: farmTime))
        case .heartbeat(let worker, let heartbeat):
            guard let reply = try? farm.renew(worker, heartbeat.attempts, at: farmTime) else {
                return .unknownWorker(worker)
            }
            return .heartbeatReplied(reply)
        case .complete(let attempt, let completion): return complete(attempt, completion)
        case .fail(let attempt, let failure):
            auditor.note("fail." + farm.fail(attempt, failure, at: farmTime).rawValue)
            auditor.check(farm.tables)
            return .failureReplied(attempt)
        case .release(let worker, let release):
            do { try farm.release(worker, release, at: farmTime) } catch { return .unknownWorker(worker) }
            auditor.check(farm.tables)
            return .releaseReplied
        case .poll, .upload: return .tick
        }
    }

    private mutating func complete(_ attempt: AttemptID, _ completion: TaskCompletion) -> WorkerEvent {
        guard artifacts.contains(completion.artifact) || !uploaded.contains(completion.artifact) else {
            return .completionRefused(
                attempt,
                Failure(code: "artifact_missing", message: "it is gone", isPermanent: false)
            )
        }
        let before = farm.tables
        let outcome = farm.complete(attempt, completion, at: farmTime)
        auditor.completed(
            attempt,
            completion,
            outcome,
            before: before,
            after: farm.tables,
            isStored: uploaded.contains(completion.artifact)
        )
        return .completionReplied(attempt, outcome)
    }

    /// The artifact store checks what it got.
    private mutating func store(_ attempt: AttemptID, _ artifact: RenderedArtifact) -> WorkerEvent {
        if diskFull > 0 {
            return .uploadRefused(
                attempt,
                Failure(code: FarmFailure.noSpace, message: "the disk is full", isPermanent: false)
            )
        }
        if corruptUploads > 0, happens(600) {
            return .uploadRefused(
                attempt,
                Failure(code: "artifact_corrupt", message: "other bytes", isPermanent: false)
            )
        }
        artifacts.insert(artifact.digest)
        uploaded.insert(artifact.digest)
        return .uploadFinished(attempt)
    }
}

// Polls that wait, and sweeps.
extension Simulator {
    private mutating func wait(_ poll: LeasePoll, _ request: SimulatedRequest, at number: Int) {
        coordinators[number].polls.append((request, poll))
        queue.schedule(.endPoll(request: request.id, coordinator: number), at: now + Int64(poll.waitMilliseconds))
        dispatch(number)
    }

    mutating func endPoll(_ request: Int, _ number: Int) {
        guard let index = coordinators[number].polls.firstIndex(where: { $0.request.id == request }) else { return }
        let waiting = coordinators[number].polls.remove(at: index)
        reply(.granted(waiting.poll.poll, []), to: waiting.request)
    }

    mutating func dispatch(_ number: Int) {
        guard coordinators[number].isRunning, now >= databaseStalledUntil, !coordinators[number].polls.isEmpty else {
            return
        }
        let waiting = coordinators[number].polls
        let polls = waiting.map(\.poll)
        let before = farm.tables
        let outcomes = farm.acquireLeases(polls, at: farmTime)
        auditor.granted(polls, outcomes, before: before, after: farm.tables, at: farmTime)
        coordinators[number].polls = []
        for ((request, poll), outcome) in zip(waiting, outcomes) {
            switch outcome {
            case .unknownWorker: reply(.unknownWorker(poll.worker), to: request)
            case .granted(let grants) where grants.isEmpty: coordinators[number].polls.append((request, poll))
            case .granted(let grants): reply(.granted(poll.poll, grants), to: request)
            }
        }
    }

    private mutating func wakeDispatchers() {
        for number in coordinators.indices where !coordinators[number].polls.isEmpty {
            queue.schedule(.dispatch(coordinator: number), at: now + 5)
        }
    }

    /// What every coordinator does now and then: it reads the parts that tasks wait for, takes those that are intact and
    /// rejects the others. Now and then it makes room.
    private mutating func takeParts() {
        if happens(20) { _ = farm.removeParts(.unused(milliseconds: random(0...20_000)), at: farmTime) }
        let offers = farm.offers(limit: 3)
        guard !offers.isEmpty else { return }
        let intact = offers.filter { artifacts.contains($0.part.artifact) }
        let before = farm.tables
        let taken = farm.take(intact, at: farmTime)
        auditor.took(intact, taken, before: before, after: farm.tables)
        let lost = Set(offers.map(\.part.artifact)).subtracting(artifacts).sorted { $0.hex < $1.hex }
        if !lost.isEmpty { reject(lost) }
        for number in coordinators.indices { queue.schedule(.dispatch(coordinator: number), at: now + 5) }
    }

    /// What every coordinator does after a sweep: what faulty workers made is rendered again.
    private mutating func withdrawFaulty() {
        let before = farm.tables
        let withdrawn = farm.withdrawFaulty(at: farmTime)
        guard !withdrawn.isEmpty else { return }
        auditor.withdrew(
            withdrawn,
            spoiler: scenario.spoiler.map { "worker \($0)" },
            before: before,
            after: farm.tables
        )
        for number in coordinators.indices { queue.schedule(.dispatch(coordinator: number), at: now + 5) }
    }

    mutating func sweep(_ number: Int, _ incarnation: Int) {
        guard coordinators[number].isRunning, coordinators[number].incarnation == incarnation else { return }
        if now >= databaseStalledUntil {
            auditor.swept(farm.sweep(at: farmTime))
            withdrawFaulty()
            takeParts()
            dispatch(number)
        }
        queue.schedule(.sweep(coordinator: number, incarnation: incarnation), at: now + 700)
    }
}
