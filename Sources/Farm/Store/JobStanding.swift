/// Where an unfinished job stands in its owner's queue, and what was rendered of it lately.
package struct JobStanding: Sendable, Hashable {
    /// The number of unfinished jobs of the same owner that nothing holds back and that have a higher priority; 0 for one
    /// that is paused, awaits others or is outside of its window.
    package var higher: Int
    /// The number of those that have the same priority and were submitted earlier; 0 for such a job.
    package var earlier: Int
    /// The number of its leases that have not run out: 0 while nobody is at work, though tasks may still be leased to workers
    /// that fell silent.
    package var held: Int
    /// The cost of all its tasks, in milliseconds of one idle core; 0 when nothing of it was under way lately.
    package var costMilliseconds: Int64
    /// What is under way, and what was completed within ``JobPace/windowMilliseconds`` as far as the job's last
    /// ``mostEvents`` events tell, by position, the earliest first.
    package var efforts: [TaskEffort]

    /// Its first ``mostAudits`` audited tasks, by position, that machines have rendered and that wait for another one.
    package var auditing: [AuditWait]

    /// The number of audited tasks that are looked at.
    package static let mostAudits = 100
    /// The number of a job's last events that are looked through for completed tasks.
    package static let mostEvents = 200

    package init(
        higher: Int = 0,
        earlier: Int = 0,
        held: Int = 0,
        costMilliseconds: Int64 = 0,
        efforts: [TaskEffort] = [],
        auditing: [AuditWait] = []
    ) {
        self.higher = higher
        self.earlier = earlier
        self.held = held
        self.costMilliseconds = costMilliseconds
        self.efforts = efforts
        self.auditing = auditing
    }
}

/// What one attempt did for a job.
package struct TaskEffort: Sendable, Hashable, Comparable {
    /// The task's position in its job.
    package var position: Int
    /// The number of frames that the task renders; 0 for sound, joining and measuring.
    package var frames: Int64
    /// The cost of the task, in milliseconds of one idle core.
    package var costMilliseconds: Int64
    /// The time of the grant.
    package var started: FarmTime
    /// The time when the task was completed; nil while the attempt is live.
    package var ended: FarmTime?
    /// The progress of a live attempt in thousandths; 1000 when the task is completed.
    package var permille: Int

    package init(
        position: Int,
        frames: Int64,
        costMilliseconds: Int64,
        started: FarmTime,
        ended: FarmTime?,
        permille: Int
    ) {
        self.position = position
        self.frames = frames
        self.costMilliseconds = costMilliseconds
        self.started = started
        self.ended = ended
        self.permille = permille
    }

    /// By position, then by the time of the grant, then by progress.
    package static func < (left: TaskEffort, right: TaskEffort) -> Bool {
        (left.position, left.started.milliseconds, left.permille)
            < (right.position, right.started.milliseconds, right.permille)
    }
}
