import Foundation
package import WireProtocol

extension FarmTables {
    /// Stores a job, or finds the one that this owner stored under this idempotency key (``FarmStore/insertJob(_:)``).
    /// - Throws: ``FarmStoreError/invalid(_:)`` for no tasks, a negative stage or equal positions;
    ///   ``FarmStoreError/keyTaken``; ``FarmStoreError/overQuota(_:)``; ``FarmStoreError/targetTaken(_:)``.
    package mutating func insertJob(_ job: NewJob, at now: FarmTime) throws(FarmStoreError) -> JobInsertion {
        try job.validate()
        if let existing = row(of: job.idempotencyKey, by: job.owner) {
            guard existing.record.isSame(as: job) else { throw .keyTaken }
            return JobInsertion(job: view(existing, at: now), isNew: false)
        }
        for earlier in job.afterJobs where jobIndex[earlier] == nil { throw .unknown(earlier) }
        try DeadlinePolicy.admit(job.deadline, at: now)
        try job.delivery?.admit(beside: job.delivery.flatMap { claimant(of: $0.target) })
        try AuditPolicy.admit(job.audit, with: workers.filter { policy.isEligible($0, at: now) })
        try policy.quota.admit(job, beside: load(of: job.owner))
        try policy.history.admit(job.owner, having: endedLoad(of: job.owner))
        var record = JobRecord(job, id: identifiers.next(at: now), created: now)
        record.awaitedJobs.removeAll { jobRecord($0)?.state == .completed }
        insertTasks(of: job, record: record, at: now)
        write([.event(record.id, nil, state: record.state.rawValue)], at: now)
        let counts = TaskCounts(queued: job.tasks.count)
        return JobInsertion(job: record.view(tasks: counts, permille: 0), isNew: true)
    }

    /// The job of an idempotency key (``FarmStore/submitted(as:by:)``).
    package func submitted(as key: String, by owner: String, at now: FarmTime) -> SubmittedJob? {
        row(of: key, by: owner).map { SubmittedJob(submission: $0.record.submission, job: view($0, at: now)) }
    }

    private func row(of key: String, by owner: String) -> JobRow? {
        jobs.first { $0.record.owner == owner && $0.record.idempotencyKey == key }
    }

    private func load(of owner: String) -> OwnerLoad {
        jobs.filter { $0.record.owner == owner && !$0.record.state.isFinal }
            .reduce(into: OwnerLoad()) { $0.add($1.load) }
    }

    private func endedLoad(of owner: String) -> OwnerLoad {
        jobs.filter { $0.record.owner == owner && $0.record.isPrunable && pruned[$0.record.id] == nil }
            .reduce(into: OwnerLoad()) { $0.add($1.load) }
    }

    private mutating func insertTasks(of job: NewJob, record: JobRecord, at now: FarmTime) {
        let rows = job.tasks.map { task in
            TaskRow(
                record: TaskRecord(
                    task,
                    id: identifiers.next(at: now),
                    job: record.id,
                    created: now,
                    audit: job.audit
                ),
                payload: task.payload
            )
        }
        let first = tasks.count
        tasks += rows.sorted { $0.record.position < $1.record.position }
        for index in first..<tasks.count { taskIndex[tasks[index].record.id] = index }
        jobIndex[record.id] = jobs.count
        let documents = [JobDocument.composition: job.composition, .plan: job.plan]
        let queue = (first..<tasks.count).sorted { left, right in
            let (left, right) = (tasks[left].record, tasks[right].record)
            return (left.stage, left.position > 0 ? 1 : 0, -left.costMilliseconds, left.position)
                < (right.stage, right.position > 0 ? 1 : 0, -right.costMilliseconds, right.position)
        }
        jobs.append(JobRow(record: record, documents: documents, queue: queue, tasks: first..<tasks.count))
    }

    /// The job as clients see it; nil for an unknown job.
    package func job(_ id: JobID, at now: FarmTime) -> JobView? { jobIndex[id].map { view(jobs[$0], at: now) } }

    /// The jobs that the filter asks for, newest first.
    package func jobs(_ filter: JobFilter, at now: FarmTime) -> [JobView] {
        let matching = jobs.map(\.record).filter(filter.selects)
        return matching.sorted { $0.id > $1.id }.prefix(max(0, filter.limit)).compactMap { job($0.id, at: now) }
    }

    /// The tasks of a job by position; empty for an unknown job, and for one that was pruned.
    package func tasks(of job: JobID) -> [TaskView] { tasks(of: job, from: 0, limit: .max) }

    /// Up to `limit` tasks of a job from a position on (``FarmStore/tasks(of:from:limit:)``).
    package func tasks(of job: JobID, from first: Int, limit: Int) -> [TaskView] {
        guard pruned[job] == nil else { return [] }
        return rows(of: job).lazy.filter { $0.record.position >= first }.prefix(max(0, limit))
            .map { $0.record.view(attempts: $0.attempts) }
    }

    /// Those bytes of a document of the job that lie in `range`; nil for an unknown job, and for one that
    /// was pruned.
    package func slice(of document: JobDocument, of job: JobID, _ range: Range<Int>) -> DocumentSlice? {
        guard pruned[job] == nil, let bytes = jobIndex[job].flatMap({ jobs[$0].documents[document] }) else {
            return nil
        }
        return DocumentSlice(byteCount: bytes.count, bytes: Data(bytes.dropFirst(range.lowerBound).prefix(range.count)))
    }

    /// Cancels a job and its open tasks.
    /// - Throws: ``FarmStoreError/unknownJob``.
    package mutating func cancel(_ job: JobID, at now: FarmTime) throws(FarmStoreError) -> CancelOutcome {
        guard let index = jobIndex[job] else { throw .unknownJob }
        var decision = JobDecision(job: jobs[index].record)
        let outcome = decision.cancel(at: now)
        write(decision.changes, at: now)
        return outcome
    }

    /// Carries out what a client asks for (``FarmStore/control(_:_:)``).
    /// - Throws: ``FarmStoreError/unknownJob``; ``FarmStoreError/invalid(_:)``.
    package mutating func control(
        _ job: JobID,
        _ control: JobControl,
        at now: FarmTime
    ) throws(FarmStoreError) -> ControlOutcome {
        try control.validate()
        guard let index = jobIndex[job] else { throw .unknownJob }
        let record = jobs[index].record
        if control == .retry, record.state == .failed {
            guard pruned[job] == nil else { return .pruned }
            try policy.quota.admit(jobs[index].load, of: record.owner, beside: load(of: record.owner))
        }
        var unfinished = record.remaining.map { _ in 0 }
        for row in rows(of: job) where row.record.state != .completed { unfinished[row.record.stage] += 1 }
        var decision = JobDecision(job: record)
        let outcome = decision.control(control, unfinished: unfinished)
        write(decision.changes, at: now)
        return outcome
    }

    /// The events with a sequence above `sequence`, ascending, at most `limit`.
    package func events(after sequence: Int64, job: JobID?, limit: Int) -> [JobEvent] {
        let later = events[place(after: sequence)...]
        return Array(later.lazy.filter { job == nil || $0.job == job }.prefix(max(0, limit)))
    }

    /// The place of the first event with a sequence above `sequence`, by bisection: a reader of a long job asks after
    /// every change.
    private func place(after sequence: Int64) -> Int {
        var (first, end) = (0, events.count)
        while first < end {
            let middle = (first + end) / 2
            if events[middle].sequence <= sequence { first = middle + 1 } else { end = middle }
        }
        return first
    }

    /// The sequence of the last event there ever was; 0 before the first.
    package func lastEvent() -> Int64 { lastSequence }

    /// Removes the history of jobs that became final long ago (``FarmStore/forget(finishedBefore:limit:)``).
    /// - Parameter age: milliseconds since the job's end.
    /// - Returns: the number of jobs pruned; less than `limit` when none remain.
    package mutating func forget(finishedBefore age: Int64, limit: Int, at now: FarmTime) -> Int {
        let oldest = now.adding(milliseconds: -age)
        let due = jobs.map(\.record).filter { job in
            !forgotten.contains(job.id) && job.finished.map { $0 < oldest } ?? false
        }
        let chosen = Set(due.sorted { $0.finished ?? now < $1.finished ?? now }.prefix(max(0, limit)).map(\.id))
        events.removeAll { chosen.contains($0.job) }
        for index in tasks.indices where chosen.contains(tasks[index].record.job) { removeAttempts(at: index) }
        forgotten.formUnion(chosen)
        return chosen.count
    }

    /// Removes the attempts of a task. A poll of which none is left is a new one.
    private mutating func removeAttempts(at index: Int) {
        for attempt in tasks[index].attempts {
            attemptIndex[attempt.id] = nil
            logs[attempt.id] = nil
            polls[attempt.poll]?.removeAll { $0 == attempt.id }
            if polls[attempt.poll]?.isEmpty == true { polls[attempt.poll] = nil }
        }
        tasks[index].attempts = []
    }

    /// Removes the tasks and documents of ended jobs beyond what an owner may keep (``FarmStore/prune(limit:)``).
    /// - Returns: the number of jobs pruned; less than `limit` when none remain.
    package mutating func prune(limit: Int, at now: FarmTime) -> Int {
        let ended = jobs.filter { $0.record.isPrunable && pruned[$0.record.id] == nil }
        var chosen: [JobRecord] = []
        for jobs in Dictionary(grouping: ended, by: \.record.owner).values {
            var load = OwnerLoad()
            for job in jobs.sorted(by: { JobRecord.isKeptLonger($0.record, than: $1.record) }) {
                load.add(job.load)
                if !policy.history.keeps(load) { chosen.append(job.record) }
            }
        }
        let due = chosen.sorted { JobRecord.isKeptLonger($1, than: $0) }.prefix(max(0, limit))
        for job in due {
            guard let view = self.job(job.id, at: now), let index = jobIndex[job.id] else { continue }
            pruned[job.id] = (view.tasks, view.permille)
            for place in jobs[index].tasks { removeAttempts(at: place) }
        }
        events.removeAll { event in due.contains { $0.id == event.job } }
        forgotten.formUnion(due.map(\.id))
        return due.count
    }

    /// The rows of a job's tasks by position; empty for an unknown job.
    package func rows(of job: JobID) -> ArraySlice<TaskRow> { jobIndex[job].map { tasks[jobs[$0].tasks] } ?? [] }

    private func view(_ row: JobRow, at now: FarmTime) -> JobView {
        if let kept = pruned[row.record.id] {
            return row.record.view(tasks: kept.tasks, permille: kept.permille, isPruned: true)
        }
        // By place: a watched job of thousands of tasks is counted twice a second, and copying a row costs far more than
        // looking at it.
        var counts = TaskCounts()
        for place in row.tasks { counts.count(tasks[place].record.state, isTaken: tasks[place].record.isTaken) }
        let permille = JobRecord.progress(
            row.tasks.lazy.map { place in
                (tasks[place].record.costMilliseconds, tasks[place].record.permille(attempts: tasks[place].attempts))
            }
        )
        return row.record.view(tasks: counts, permille: permille, awaiting: awaited(row, at: now))
    }

    /// Those of its tasks, when some wait for a worker and no eligible one has them.
    private func awaited(_ job: JobRow, at now: FarmTime) -> RenderVersions? {
        guard let versions = tasks[job.tasks].first?.payload.versions else { return nil }
        let able = workers.filter { policy.isEligible($0, at: now) && $0.has(versions) }
        let isAwaited = waitingKinds(of: job).contains { kind in !able.contains { $0.kinds.contains(kind) } }
        return isAwaited ? versions : nil
    }
}

extension JobControl {
    /// Checks what every store checks first.
    /// - Throws: ``FarmStoreError/invalid(_:)`` for a priority beyond 32 bits.
    package func validate() throws(FarmStoreError) {
        guard case .priority(let priority) = self, Int32(exactly: priority) == nil else { return }
        throw .invalid("The priority is a whole number from \(Int32.min) to \(Int32.max).")
    }
}

extension FarmStoreError {
    /// A job is to begin after one that there is not.
    package static func unknown(_ earlier: JobID) -> FarmStoreError {
        .invalid("There is no job \(earlier) to begin after; name jobs that were submitted before.")
    }
}

extension NewJob {
    /// Checks what every store checks before it draws an identifier.
    /// - Throws: ``FarmStoreError/invalid(_:)`` for no tasks, a negative stage or equal positions, a text with NUL, and
    ///   a priority beyond 32 bits.
    package func validate() throws(FarmStoreError) {
        guard
            [idempotencyKey, owner, title, preset, fileExtension, delivery?.target ?? ""].allSatisfy({
                !$0.utf8.contains(0)
            })
        else {
            throw .invalid("A text of the job holds the character NUL; leave it out.")
        }
        guard Int32(exactly: priority) != nil else {
            throw .invalid("The priority is a whole number from \(Int32.min) to \(Int32.max).")
        }
        guard afterJobs.count <= Self.mostEarlierJobs, Set(afterJobs).count == afterJobs.count else {
            throw .invalid("A job begins after \(Self.mostEarlierJobs) others at the most, each named once.")
        }
        guard requirements.texts.count <= WorkerRequirement.most else {
            throw .invalid("A job has \(WorkerRequirement.most) requirements of workers at the most.")
        }
        guard !tasks.isEmpty else { throw .invalid("Job “\(title)” has no tasks: plan it first.") }
        guard tasks.allSatisfy({ (0...15).contains($0.stage) }) else {
            throw .invalid("A task of job “\(title)” has a stage outside of 0 to 15.")
        }
        guard Set(tasks.map(\.position)).count == tasks.count else {
            throw .invalid("Two tasks of job “\(title)” have the same position.")
        }
    }
}

extension TaskCounts {
    fileprivate mutating func count(_ state: TaskState, isTaken: Bool) {
        if isTaken { taken = (taken ?? 0) + 1 }
        switch state {
        case .queued: queued += 1
        case .leased: leased += 1
        case .completed: completed += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        }
    }
}
