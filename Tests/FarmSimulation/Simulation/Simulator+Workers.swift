import CompositionModel
import Farm
import WireProtocol

// What happens at the workers.
extension Simulator {
    mutating func tick(_ worker: Int, _ incarnation: Int) {
        guard workers[worker].incarnation == incarnation else { return }
        if workers[worker].tickAt.map({ $0 <= now }) ?? false { workers[worker].tickAt = nil }
        tell(worker, incarnation, .tick, nil)
    }

    /// `request`: the event answers it; only the first answer counts.
    mutating func tell(_ worker: Int, _ incarnation: Int, _ event: WorkerEvent, _ request: Int?) {
        guard workers[worker].incarnation == incarnation, workers[worker].life != .dead else { return }
        guard workers[worker].life == .running else { return workers[worker].inbox.append((event, request)) }
        if let request, workers[worker].waiting.remove(request) == nil { return }
        let effects = workers[worker].handle(event, at: now)
        for effect in effects { carryOut(effect, for: worker) }
        auditor.holds(children: workers[worker].children.keys, attempts: workers[worker].machine.attempts)
        scheduleTick(of: worker)
    }

    private mutating func scheduleTick(of worker: Int) {
        guard let wakeAt = workers[worker].wakeAt else { return }
        let time = max(wakeAt, now + 1)
        if let scheduled = workers[worker].tickAt, scheduled <= time { return }
        workers[worker].tickAt = time
        queue.schedule(.tick(worker: worker, incarnation: workers[worker].incarnation), at: time)
    }

    private mutating func carryOut(_ effect: WorkerEffect, for worker: Int) {
        switch effect {
        case .register: send(.register(registration(of: worker)), from: worker, unless: .registrationUnreachable)
        case .poll(let id, let poll, let capacity):
            let request = LeasePoll(
                worker: id,
                poll: poll,
                kinds: workers[worker].kinds,
                capacity: capacity,
                waitMilliseconds: 4000
            )
            send(.poll(request), from: worker, within: 8000, unless: .pollUnreachable(poll))
        case .sendHeartbeat(let id, let heartbeat):
            send(.heartbeat(id, heartbeat), from: worker, unless: .heartbeatUnreachable)
        case .startTask(let grant): startChild(grant, at: worker)
        case .upload(let attempt, let artifact, _):
            send(.upload(attempt, artifact), from: worker, unless: .uploadUnreachable(attempt))
        case .sendComplete(let attempt, let completion):
            send(.complete(attempt, completion), from: worker, unless: .completionUnreachable(attempt))
        case .sendFail(let attempt, let failure):
            send(.fail(attempt, failure), from: worker, unless: .failureUnreachable(attempt))
        case .sendRelease(let id, let release): send(.release(id, release), from: worker, unless: .releaseUnreachable)
        case .discard(let attempt): workers[worker].children[attempt] = nil
        case .exit: leave(worker)
        }
    }

    private func registration(of worker: Int) -> WorkerRegistration {
        WorkerRegistration(
            name: "worker \(worker)",
            kinds: workers[worker].kinds,
            slots: workers[worker].slots,
            rendererVersion: 1,
            libraries: [:]
        )
    }

    /// The process ends; whoever minds it starts it again.
    private mutating func leave(_ worker: Int) {
        workers[worker].life = .dead
        queue.schedule(.startWorker(worker), at: now + random(200...2000))
    }

    mutating func startWorker(_ worker: Int) {
        guard workers[worker].life == .dead else { return }
        workers[worker].restart(seed: generator.next())
        tell(worker, workers[worker].incarnation, .tick, nil)
    }

    private mutating func startChild(_ grant: LeaseGrant, at worker: Int) {
        workers[worker].children[grant.attempt] = grant
        auditor.started(children: workers[worker].children.count, slots: workers[worker].slots)
        guard let task = farm.tables.row(grant.task)?.record, let job = jobs[grant.job] else { return }
        let lost = task.kind == .stitch ? lostParts(of: grant.job) : []
        guard lost.isEmpty else { return queue.schedule(.reject(lost), at: now + random(1...300)) }
        if hangingChildren > 0, happens(300) { return auditor.note("hung") }
        let isSlow = happens(30)
        let length = task.costMilliseconds * random(500...1500) / 1000 * (isSlow ? 10 : 1)
        let incarnation = workers[worker].incarnation
        func tell(_ event: WorkerEvent, after delay: Int64) {
            queue.schedule(.tell(worker: worker, incarnation: incarnation, event, request: nil), at: now + delay)
        }
        tell(.progressed(grant.attempt, permille: 500), after: length / 2)
        if let failure = failure(of: task, job, at: worker) {
            return tell(.childFailed(grant.attempt, failure), after: length / 3)
        }
        var digest = artifact(of: task, job)
        if scenario.spoiler == worker {
            digest = SampleJob.spoilt(digest)
            auditor.spoilt.insert(digest)
        }
        let artifact = RenderedArtifact(
            digest: digest,
            byteCount: 1000,
            unitCount: 120,
            statistics: TaskStatistics()
        )
        tell(.childFinished(grant.attempt, artifact), after: length)
    }

    /// What rendering a task gives, whoever does it.
    private func artifact(of task: TaskRecord, _ job: SimulationScenario.Job) -> ContentDigest {
        guard job.sharesParts, let key = task.key else { return SampleJob.artifact(task.job, position: task.position) }
        return SampleJob.artifact(ofKey: key)
    }

    /// The accepted parts of a job that are gone.
    private func lostParts(of job: JobID) -> [ContentDigest] {
        farm.tables.rows(of: job).filter { [.picture, .sound].contains($0.record.kind) }
            .compactMap(\.record.artifact).filter { !artifacts.contains($0) }
    }

    private mutating func failure(of task: TaskRecord, _ job: SimulationScenario.Job, at worker: Int) -> Failure? {
        switch job.fate {
        case .poison(task.position):
            return Failure(code: FarmFailure.renderCrashed, message: "signal 11", isPermanent: false)
        case .badInput(task.position):
            return Failure(code: "asset_truncated", message: "it ends early", isPermanent: true)
        default: break
        }
        if workers[worker].isBroken {
            return Failure(code: "source_unreadable", message: "no route to the source", isPermanent: false)
        }
        guard failingChildren > 0, happens(300) else { return nil }
        let code = Bool.random(using: &generator) ? FarmFailure.renderCrashed : "source_unreadable"
        return Failure(code: code, message: "it failed", isPermanent: false)
    }
}
