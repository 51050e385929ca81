import CompositionModel
import Farm
import WireProtocol

// What goes wrong, and what clients do.
extension Simulator {
    mutating func begin(_ fault: SimulationScenario.Fault, until: Int64) {
        auditor.note("fault." + fault.name)
        switch fault {
        case .crashWorker(let worker): crash(worker, until: until)
        case .freezeWorker(let worker): if workers[worker].life == .running { workers[worker].life = .frozen }
        case .partition(let worker, let losesRequests, let losesReplies):
            workers[worker].losesRequests = losesRequests
            workers[worker].losesReplies = losesReplies
        case .crashCoordinator(let number): crashCoordinator(number, until: until)
        case .brokenWorker(let worker): workers[worker].isBroken = true
        case .stallDatabase: databaseStalledUntil = max(databaseStalledUntil, until)
        case .diskFull: diskFull += 1
        case .corruptUploads: corruptUploads += 1
        case .lossyNetwork: lossyNetwork += 1
        case .failingChildren: failingChildren += 1
        case .hangingChildren: hangingChildren += 1
        case .lostParts: loseParts()
        case .drainWorker(let worker): if let id = workers[worker].machine.id { try? farm.drain(id) }
        case .stopWorker(let worker): tell(worker, workers[worker].incarnation, .stopRequested, nil)
        }
    }

    mutating func end(_ fault: SimulationScenario.Fault) {
        switch fault {
        case .freezeWorker(let worker): thaw(worker)
        case .partition(let worker, _, _):
            (workers[worker].losesRequests, workers[worker].losesReplies) = (false, false)
        case .brokenWorker(let worker): workers[worker].isBroken = false
        case .crashCoordinator(let number): startCoordinator(number)
        case .diskFull: diskFull -= 1
        case .corruptUploads: corruptUploads -= 1
        case .lossyNetwork: lossyNetwork -= 1
        case .failingChildren: failingChildren -= 1
        case .hangingChildren: hangingChildren -= 1
        case .lostParts: loseParts()
        case .crashWorker, .stallDatabase, .drainWorker, .stopWorker: break
        }
    }

    private mutating func crash(_ worker: Int, until: Int64) {
        guard workers[worker].life != .dead else { return }
        workers[worker].life = .dead
        queue.schedule(.startWorker(worker), at: until)
        // The connection breaks, and the coordinator notices; or not.
        guard Bool.random(using: &generator) else { return }
        for number in coordinators.indices { coordinators[number].polls.removeAll { $0.request.worker == worker } }
    }

    private mutating func thaw(_ worker: Int) {
        guard workers[worker].life == .frozen else { return }
        workers[worker].life = .running
        let inbox = workers[worker].inbox
        workers[worker].inbox = []
        for (event, request) in inbox { tell(worker, workers[worker].incarnation, event, request) }
    }

    /// A third of what was accepted is lost.
    private mutating func loseParts() {
        for row in farm.tables.tasks {
            guard let artifact = row.record.artifact, happens(333) else { continue }
            artifacts.remove(artifact)
        }
    }

    /// What a stitcher does that cannot have its parts.
    mutating func reject(_ lost: [ContentDigest]) {
        guard now >= databaseStalledUntil else {
            return queue.schedule(.reject(lost), at: databaseStalledUntil + 1)
        }
        let failure = Failure(code: FarmFailure.artifactLost, message: "it is gone", isPermanent: false)
        let gone = lost.filter { !artifacts.contains($0) }
        let before = farm.tables
        let rejected = farm.reject(gone, because: failure, at: farmTime)
        auditor.rejected(gone, rejected, before: before, after: farm.tables)
        for number in coordinators.indices { queue.schedule(.dispatch(coordinator: number), at: now + 5) }
    }

    /// Its stitcher dies with it. The database keeps what was committed; polls that wait vanish.
    private mutating func crashCoordinator(_ number: Int, until: Int64) {
        coordinators[number].isRunning = false
        coordinators[number].polls = []
        crash(scenario.renderers + number, until: until)
    }

    private mutating func startCoordinator(_ number: Int) {
        guard !coordinators[number].isRunning else { return }
        coordinators[number].isRunning = true
        coordinators[number].incarnation += 1
        sweep(number, coordinators[number].incarnation)
    }

    mutating func submit(_ number: Int) {
        guard coordinators.contains(where: \.isRunning), now >= databaseStalledUntil else {
            return queue.schedule(.submit(number), at: max(now + 500, databaseStalledUntil))
        }
        let plan = scenario.jobs[number]
        var job = SampleJob.job(
            key: "job \(number)",
            owner: number % 2 == 0 ? "owner" : "other",
            segments: plan.segments,
            hasSound: plan.hasSound,
            rounds: plan.rounds,
            cost: plan.costMilliseconds,
            sharesParts: plan.sharesParts
        )
        if plan.sharesParts { job = job.pinned(to: [:]) }
        job.window = plan.window
        job.audit = plan.audit
        if plan.isAfterOther, number > 0 {
            guard let other = submitted[number - 1] else { return queue.schedule(.submit(number), at: now + 500) }
            job.afterJobs = [other]
        }
        let insertion: JobInsertion
        do throws(FarmStoreError) { insertion = try farm.insertJob(job, at: farmTime) } catch {
            // Nobody is there to audit it: the client submits it again.
            if case .noAuditor = error { queue.schedule(.submit(number), at: now + 500) }
            return
        }
        auditor.inserted(insertion, again: submitted[number])
        submitted[number] = insertion.job.id
        jobs[insertion.job.id] = plan
        for number in coordinators.indices { queue.schedule(.dispatch(coordinator: number), at: now + 5) }
    }

    mutating func cancel(_ number: Int) {
        guard let job = submitted[number], now >= databaseStalledUntil else {
            return queue.schedule(.cancel(number), at: max(now + 500, databaseStalledUntil))
        }
        let before = farm.tables
        guard let outcome = try? farm.cancel(job, at: farmTime) else { return }
        auditor.cancelled(job, outcome, before: before, after: farm.tables)
    }
}

extension Simulator {
    mutating func control(_ number: Int, _ control: JobControl) {
        guard let job = submitted[number], now >= databaseStalledUntil else {
            return queue.schedule(.control(number, control), at: max(now + 500, databaseStalledUntil))
        }
        let before = farm.tables
        guard let outcome = try? farm.control(job, control, at: farmTime) else { return }
        auditor.controlled(job, control, outcome, before: before, after: farm.tables)
        // A client that pauses a job resumes it afterwards, however long the farm was away.
        if control == .pause, let pause = scenario.jobs[number].pauses.first {
            queue.schedule(.control(number, .resume), at: max(now + 1, pause.at + pause.length))
        }
        for number in coordinators.indices { queue.schedule(.dispatch(coordinator: number), at: now + 5) }
    }
}

extension SimulationScenario.Fault {
    /// For the tally.
    fileprivate var name: String {
        switch self {
        case .crashWorker: "crash"
        case .freezeWorker: "freeze"
        case .partition: "partition"
        case .crashCoordinator: "crashCoordinator"
        case .stallDatabase: "stall"
        case .diskFull: "diskFull"
        case .corruptUploads: "corrupt"
        case .lossyNetwork: "lossy"
        case .failingChildren: "failing"
        case .hangingChildren: "hanging"
        case .lostParts: "lost"
        case .brokenWorker: "broken"
        case .drainWorker: "drain"
        case .stopWorker: "stop"
        }
    }
}
