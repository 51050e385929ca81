import Timing
package import WireProtocol

extension FarmTables {
    /// Registers a new worker.
    package mutating func registerWorker(_ registration: WorkerRegistration, at now: FarmTime) -> WorkerRegistered {
        var worker = WorkerRecord(registration, id: identifiers.next(at: now), registered: now)
        worker.blocked = reasonToKeepOff(worker)
        workerIndex[worker.id] = workers.count
        workers.append(worker)
        return WorkerRegistered(
            worker: worker.id,
            leaseMilliseconds: Int(policy.lease.leaseMilliseconds),
            heartbeatMilliseconds: Int(policy.lease.heartbeatMilliseconds)
        )
    }

    /// The workers by identifier, without those that left or were silent for long.
    package func workers(at now: FarmTime) -> [WorkerView] {
        let listed = workers.filter { worker in
            !worker.hasLeft && now.milliseconds(since: worker.lastSeen) <= policy.workerRetentionMilliseconds
        }
        return listed.sorted { $0.id < $1.id }.map { worker in
            let own = tasks.flatMap(\.attempts).filter { $0.worker == worker.id }
            return worker.view(
                running: own.count { $0.state == .live },
                doing: own.filter { $0.state == .live }.compactMap(underWay),
                last: newestSegment(own),
                blocked: policy.blocklistReason(worker),
                at: now
            )
        }
    }

    private func newestSegment(_ attempts: [AttemptRecord]) -> WorkerSegment? {
        let completed = attempts.filter { $0.state == .completed }.compactMap { one in one.ended.map { ($0, one) } }
        let newest = completed.sorted { ($0.0, $0.1.id) > ($1.0, $1.1.id) }.prefix(16)
        return newest.lazy.compactMap { _, attempt in
            guard let task = self.row(attempt.task)?.record, task.kind == .picture else { return nil }
            return task.frames.map { WorkerSegment(job: task.job, position: task.position, frames: $0) }
        }.first
    }

    private func underWay(_ attempt: AttemptRecord) -> WorkerTask? {
        guard let task = row(attempt.task)?.record, let job = jobRecord(attempt.job) else { return nil }
        return WorkerTask(
            attempt: attempt.id,
            task: task.id,
            job: job.id,
            title: job.title,
            kind: task.kind,
            position: task.position,
            permille: attempt.permille,
            started: attempt.started.date,
            outputSeconds: task.kind == .picture ? task.frames.map { job.frameRate.seconds($0.count) } : nil
        )
    }

    /// Grants a worker nothing from now on.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    package mutating func drain(_ worker: WorkerID) throws(FarmStoreError) {
        workers[try present(worker)].isDraining = true
    }

    /// Lets a drained worker take work again.
    /// - Returns: false for one that is silent.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    package mutating func undrain(_ worker: WorkerID, at now: FarmTime) throws(FarmStoreError) -> Bool {
        let place = try present(worker)
        guard now.milliseconds(since: workers[place].lastSeen) <= policy.workerAbsenceMilliseconds else { return false }
        workers[place].isDraining = false
        return true
    }

    /// The place of a worker that is registered and has not left.
    /// - Throws: ``FarmStoreError/unknownWorker``.
    func present(_ worker: WorkerID) throws(FarmStoreError) -> Int {
        guard let index = workerIndex[worker], !workers[index].hasLeft else { throw .unknownWorker }
        return index
    }

    /// Notes that a worker was heard of.
    mutating func touch(_ worker: WorkerID, at now: FarmTime) {
        guard let index = workerIndex[worker] else { return }
        workers[index].lastSeen = max(workers[index].lastSeen, now)
    }
}
