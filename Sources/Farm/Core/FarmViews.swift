package import WireProtocol

extension JobRecord {
    /// The job as clients see it.
    /// - Parameters:
    ///   - tasks: the number of its tasks in each state.
    ///   - permille: the ``progress(_:)`` of its tasks, 0 … 1000.
    ///   - awaited: the versions that its tasks are for, when some wait and no worker has these versions; else nil.
    ///   - isPruned: whether its tasks and documents are gone.
    package func view(
        tasks: TaskCounts,
        permille: Int,
        awaiting awaited: RenderVersions? = nil,
        isPruned: Bool = false
    ) -> JobView {
        JobView(
            id: id,
            title: title,
            owner: owner,
            state: state,
            failure: failure,
            priority: priority,
            created: created.date,
            finished: finished?.date,
            frameCount: frameCount,
            frameRate: frameRate,
            preset: preset,
            fileExtension: fileExtension,
            tasks: tasks,
            permille: permille,
            artifact: artifact,
            byteCount: byteCount,
            awaitedVersions: awaited?.text,
            copying: copying,
            isPruned: isPruned ? true : nil,
            isPaused: isPaused && !state.isFinal ? true : nil,
            window: window,
            afterJobs: afterJobs.isEmpty ? nil : afterJobs,
            awaitedJobs: awaitedJobs.isEmpty || state.isFinal ? nil : awaitedJobs,
            windowOpens: isOutsideWindow && !state.isFinal ? windowChange?.date : nil,
            deadline: deadline?.date,
            audit: audit,
            requirements: requirements.isEmpty ? nil : requirements.texts.compactMap { WorkerRequirement($0) },
            delivery: delivery?.view
        )
    }

    /// The progress of a job in thousandths: `sum(cost * permille) / sum(cost)` in whole numbers, rounded down; 0
    /// without tasks.
    /// - Parameter tasks: the cost and the ``TaskRecord/permille(attempts:)`` of each task.
    package static func progress(_ tasks: some Sequence<(costMilliseconds: Int64, permille: Int)>) -> Int {
        var done: Int64 = 0
        var total: Int64 = 0
        for task in tasks {
            done += task.costMilliseconds * Int64(task.permille)
            total += task.costMilliseconds
        }
        return total == 0 ? 0 : Int(done / total)
    }
}

extension TaskRecord {
    /// The progress in thousandths: 1000 when completed; else the most that a live attempt reported; else 0.
    package func permille(attempts: [AttemptRecord]) -> Int {
        if state == .completed { return 1000 }
        return attempts.reduce(0) { $1.state == .live ? max($0, $1.permille) : $0 }
    }

    /// The task as clients see it.
    /// - Parameter attempts: the task's attempts, in the order of their grants.
    package func view(attempts: [AttemptRecord]) -> TaskView {
        TaskView(
            id: id,
            job: job,
            position: position,
            kind: kind,
            state: state,
            frames: frames,
            copiedCount: copiedCount,
            startBorder: startBorder,
            endBorder: endBorder,
            attempts: attempts.map(\.view),
            permille: permille(attempts: attempts),
            failure: failure,
            artifact: artifact,
            statistics: statistics,
            isTaken: isTaken ? true : nil,
            isAudited: isAudited ? true : nil
        )
    }
}

extension AttemptRecord {
    /// The attempt as clients see it.
    package var view: AttemptView {
        AttemptView(
            id: id,
            worker: worker,
            workerName: workerName,
            state: state,
            started: started.date,
            ended: ended?.date,
            failure: failure
        )
    }

    /// What the worker is told of its lease. The remaining times count from `now`; 0 when they are over.
    package func leaseGrant(_ payload: TaskPayload, at now: FarmTime) -> LeaseGrant {
        LeaseGrant(
            attempt: id,
            task: task,
            job: job,
            payload: payload,
            leaseMilliseconds: Int(max(0, until.milliseconds(since: now))),
            deadlineMilliseconds: Int(max(0, deadline.milliseconds(since: now)))
        )
    }
}

extension WorkerRecord {
    /// The worker as clients see it.
    /// - Parameters:
    ///   - running: the number of its live attempts.
    ///   - doing: its live attempts, of which the first 64 are shown.
    ///   - last: the picture segment among its newest 16 completed attempts that ended last.
    ///   - blocked: the reason why it is on the blocklist; nil when it is not.
    package func view(
        running: Int,
        doing: [WorkerTask],
        last: WorkerSegment?,
        blocked: String?,
        at now: FarmTime
    ) -> WorkerView {
        WorkerView(
            id: id,
            name: name,
            slots: slots,
            isDraining: isDraining,
            secondsSinceSeen: Double(now.milliseconds(since: lastSeen)) / 1000,
            running: running,
            completed: completedAttempts,
            failed: failedAttempts,
            kinds: kinds,
            versions: versions.text,
            doing: Array(doing.sorted { $0.attempt < $1.attempt }.prefix(64)),
            last: last,
            machineName: machine,
            tags: tags.isEmpty ? nil : tags,
            memoryBytes: memoryBytes,
            blocked: blocked
        )
    }
}
