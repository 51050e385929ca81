package import WireProtocol

/// What a decision about a job asks for.
package enum JobEffect: Sendable, Hashable {
    /// The job's row changed.
    case updated
    /// It entered another state.
    case entered(JobState)
    /// It misses its deadline, or will.
    case late
    /// Its movie lies where it was to go.
    case delivered
    /// Its tasks that are not final are to be cancelled.
    case cancelOpenTasks
    /// Its tasks that failed or were cancelled are to be queued again.
    case retryTasks
    /// Its leased tasks of later stages are to be queued again.
    case withdrawTasks(behind: Int)
}

/// A job as the reducer over its tasks: it counts them down by stage, and its state follows from theirs.
///
///     queued ─first lease─► rendering ─last stage open─► stitching ─all done─► completed
///                                  ◄─a part rejected─┘
///     any of these ─a task failed─► failed        ─cancel─► cancelled
///                     rendering ◄─retry─┘
///
/// Stills that cannot be had stop no others: their job fails when all its tasks are done.
package struct JobMachine: Sendable, Hashable {
    /// The job as it was decided so far.
    package private(set) var job: JobRecord

    /// Begins with a job's row.
    package init(job: JobRecord) { self.job = job }

    /// Follows a change of one of the job's tasks.
    /// - Parameters:
    ///   - task: the task after the change.
    ///   - previous: the task's state before it.
    /// - Returns: what to write, in order; empty for a job in a final state.
    package mutating func taskChanged(_ task: TaskRecord, from previous: TaskState, at now: FarmTime) -> [JobEffect] {
        guard !job.state.isFinal else { return [] }
        switch task.state {
        case .leased: return job.state == .queued ? enter(.rendering) : []
        case .completed: return previous == .completed ? [] : countDown(task, at: now)
        case .failed:
            job.failure = job.failure ?? task.failure
            if task.kind == .stills { return previous.isFinal ? [] : countDown(task, at: now) }
            return [.cancelOpenTasks] + finish(.failed, at: now)
        case .queued: return previous == .completed ? countUp(task) : []
        case .cancelled: return []
        }
    }

    /// Cancels the job unless it is in a final state.
    package mutating func cancel(at now: FarmTime) -> (CancelOutcome, [JobEffect]) {
        if job.state == .cancelled { return (.cancelled, []) }
        guard !job.state.isFinal else { return (.alreadyFinal, []) }
        return (.cancelled, [.cancelOpenTasks] + finish(.cancelled, at: now))
    }

    /// Holds everything back that is not under way, or lets it go on.
    package mutating func setPaused(_ isPaused: Bool) -> (ControlOutcome, [JobEffect]) {
        guard !job.state.isFinal else { return (.alreadyFinal, []) }
        guard job.isPaused != isPaused else { return (.done, []) }
        job.isPaused = isPaused
        return (.done, [.updated, .entered(job.state)])
    }

    /// Follows the window, once the stored moment of its change has come. Changes in which nobody looked are passed over.
    package mutating func followWindow(at now: FarmTime) -> [JobEffect] {
        guard !job.state.isFinal, job.isWindowDue(at: now) else { return [] }
        let wasOutside = job.isOutsideWindow
        job.setWindow(at: now)
        return [.updated] + (job.isOutsideWindow == wasOutside ? [] : [.entered(job.state)])
    }

    /// Follows the jobs that it awaits: it may begin once all are completed, fails with the first of them that failed or
    /// was cancelled, and goes on when that one was retried.
    /// - Parameters:
    ///   - earlier: the awaited jobs as they are now, in the order of ``JobRecord/awaitedJobs``.
    ///   - unfinished: the number of its tasks that are not completed, by stage; asked for if it had failed.
    package mutating func follow(_ earlier: [EarlierJob], unfinished: [Int], at now: FarmTime) -> [JobEffect] {
        guard !job.state.isFinal || job.failedForEarlier else { return [] }
        if let lost = earlier.first(where: \.hasFailed) {
            guard !job.state.isFinal else { return [] }
            job.failure = FarmFailure.after(lost)
            let effects = finish(.failed, at: now)
            return [.cancelOpenTasks] + effects
        }
        let awaited = earlier.filter { $0.state != .completed }.map(\.id)
        let wasFailed = job.state.isFinal
        guard awaited != job.awaitedJobs || wasFailed else { return [] }
        job.awaitedJobs = awaited
        guard wasFailed else {
            guard awaited.isEmpty else { return [.updated] }
            return enter(isOnlyToBeJoined ? .stitching : job.state)
        }
        return reopen(unfinished: unfinished, as: .queued)
    }

    /// Tells, once, that the job misses its deadline, or will.
    /// - Returns: nothing to write when it was told, has ended, or has no deadline.
    package mutating func tellLate() -> [JobEffect] {
        guard !job.state.isFinal, job.deadline != nil, !job.isLateTold else { return [] }
        job.isLateTold = true
        return [.updated, .late]
    }

    /// Notes what came of putting the movie where it goes.
    /// - Returns: nothing to write for a job that is not completed, goes nowhere, or whose movie lies there already.
    package mutating func note(_ outcome: DeliveryOutcome, at now: FarmTime) -> [JobEffect] {
        guard job.state == .completed, var delivery = job.delivery, delivery.delivered == nil else { return [] }
        switch outcome {
        case .delivered: (delivery.delivered, delivery.problem, delivery.due) = (now, nil, nil)
        case .failed(let sentence, let pause):
            (delivery.problem, delivery.due) = (sentence, now.adding(milliseconds: pause))
        }
        job.delivery = delivery
        return [.updated] + (outcome == .delivered ? [.delivered] : [])
    }

    /// Counts that machines made one of its parts differently.
    package mutating func auditDiffered() -> [JobEffect] {
        guard !job.state.isFinal, job.audit != nil else { return [] }
        job.audit?.differed += 1
        return [.updated]
    }

    /// Gives the job another place among its owner's.
    package mutating func setPriority(_ priority: Int) -> (ControlOutcome, [JobEffect]) {
        guard !job.state.isFinal else { return (.alreadyFinal, []) }
        guard job.priority != priority else { return (.done, []) }
        job.priority = priority
        return (.done, [.updated, .entered(job.state)])
    }

    /// Goes on with a job that failed: what was accepted is kept, and what failed before counts no more.
    /// - Parameter unfinished: the number of its tasks that are not completed, by stage.
    package mutating func retry(unfinished: [Int]) -> (ControlOutcome, [JobEffect]) {
        guard job.state == .failed else { return (job.state.isFinal ? .notFailed : .done, []) }
        job.isPaused = false
        return (.done, reopen(unfinished: unfinished, as: .rendering))
    }

    /// Queues what is not completed of a job that failed.
    /// - Parameter state: its state, unless only the last of several stages is left.
    private mutating func reopen(unfinished: [Int], as state: JobState) -> [JobEffect] {
        job.failure = nil
        job.finished = nil
        job.remaining = unfinished
        return [.retryTasks] + enter(isOnlyToBeJoined ? .stitching : state)
    }

    private mutating func countDown(_ task: TaskRecord, at now: FarmTime) -> [JobEffect] {
        job.remaining[task.stage] -= 1
        if task.isAudited, task.state == .completed { job.audit?.audited += 1 }
        guard job.openStage != nil else {
            guard job.failure == nil else { return finish(.failed, at: now) }
            job.artifact = task.artifact
            job.byteCount = task.byteCount
            return finish(.completed, at: now)
        }
        return isOnlyToBeJoined && job.state != .stitching ? enter(.stitching) : [.updated]
    }

    /// Whether only the last of several stages is left, and may begin. A job whose parts were all there, and that awaits
    /// others, is not being joined.
    private var isOnlyToBeJoined: Bool {
        job.remaining.count > 1 && job.remaining.dropLast().allSatisfy { $0 == 0 } && job.awaitedJobs.isEmpty
    }

    /// Opens the stage of a task whose artifact was rejected. What waits for the stage must not go on meanwhile.
    private mutating func countUp(_ task: TaskRecord) -> [JobEffect] {
        job.remaining[task.stage] += 1
        if task.isAudited { job.audit?.audited -= 1 }
        let changed = job.state == .stitching ? enter(.rendering) : [.updated]
        return changed + [.withdrawTasks(behind: task.stage)]
    }

    private mutating func finish(_ state: JobState, at now: FarmTime) -> [JobEffect] {
        job.finished = now
        return enter(state)
    }

    private mutating func enter(_ state: JobState) -> [JobEffect] {
        job.state = state
        return [.updated, .entered(state)]
    }
}
