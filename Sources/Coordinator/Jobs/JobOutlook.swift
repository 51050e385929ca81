import Farm
import Timing
import WireProtocol

/// What clients are told of unfinished jobs beyond their rows: how fast they go, how long they will take, and why
/// nothing of them is under way.
struct JobOutlook: Sendable {
    let store: any FarmStore
    let hold: FarmHold
    /// What was told of each job's end before.
    let estimates = FinishEstimates()

    /// The jobs with ``JobView/speed``, ``JobView/secondsLeft``, ``JobView/waiting``, ``JobView/onHold`` and
    /// ``JobView/deadlineWarning``.
    /// - Throws: ``FarmStoreError``.
    func describing(_ jobs: [JobView]) async throws -> [JobView] {
        let unfinished = jobs.filter { !$0.state.isFinal }
        guard !unfinished.isEmpty else { return jobs.map { $0.warned(at: FarmTime(milliseconds: 0)) } }
        let standings = try await store.standings(of: unfinished.map(\.id))
        let now = try await store.now()
        let waits = unfinished.contains { standings[$0.id]?.held == 0 }
        let workers = waits ? try await store.workers() : []
        let reason = hold.reason
        return (reason?.noting(jobs) ?? jobs).map { job in
            guard let standing = standings[job.id] else { return job.warned(at: now) }
            var job = job
            let pace = JobPace(standing, permille: job.permille, frameRate: job.frameRate, at: now)
            let isUnderWay = standing.held > 0
            // Nobody knows when a paused job will be resumed.
            let counted = isUnderWay && job.isPaused != true ? pace.secondsLeft : nil
            let left = estimates.tell(job, counted, standing.costMilliseconds, at: now)
            if isUnderWay {
                (job.speed, job.secondsLeft) = (pace.speed, left)
            } else {
                job.waiting =
                    WaitingReason(
                        job: job,
                        standing: standing,
                        workers: workers,
                        hold: reason,
                        now: now
                    ).waiting
            }
            return job.warned(at: now)
        }
    }

    /// The job, described.
    /// - Throws: ``FarmStoreError``.
    func describing(_ job: JobView) async throws -> JobView { try await describing([job])[0] }
}

extension JobView {
    /// The job with its ``deadlineWarning``.
    /// - Parameter now: the time by the database's clock; of a job that has ended it does not matter.
    fileprivate func warned(at now: FarmTime) -> JobView {
        guard let words = DeadlineWords(self) else { return self }
        var job = self
        job.deadlineWarning = words.warning(at: now)
        return job
    }
}
