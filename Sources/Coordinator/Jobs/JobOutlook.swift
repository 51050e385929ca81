import Farm
import Timing
import WireProtocol

/// What clients are told of unfinished jobs beyond their rows: how fast they go, how long they will take, and why
/// nothing of them is under way.
struct JobOutlook: Sendable {
    let store: any FarmStore
    let space: SpaceWatch
    /// What was told of each job's end before.
    let estimates = FinishEstimates()

    /// The jobs with ``JobView/speed``, ``JobView/secondsLeft``, ``JobView/waiting`` and ``JobView/onHold``.
    /// - Throws: ``FarmStoreError``.
    func describing(_ jobs: [JobView]) async throws -> [JobView] {
        let unfinished = jobs.filter { !$0.state.isFinal }
        guard !unfinished.isEmpty else { return jobs }
        let standings = try await store.standings(of: unfinished.map(\.id))
        let now = try await store.now()
        let waits = unfinished.contains { $0.tasks.leased == 0 }
        let workers = waits ? try await store.workers() : []
        return space.noting(jobs).map { job in
            guard let standing = standings[job.id] else { return job }
            var job = job
            let pace = JobPace(standing, permille: job.permille, frameRate: job.frameRate, at: now)
            let isUnderWay = job.tasks.leased > 0
            let left = estimates.tell(job, isUnderWay ? pace.secondsLeft : nil, standing.costMilliseconds, at: now)
            if isUnderWay {
                (job.speed, job.secondsLeft) = (pace.speed, left)
            } else {
                job.waiting = WaitingReason(job: job, standing: standing, workers: workers).waiting
            }
            return job
        }
    }

    /// The job, described.
    /// - Throws: ``FarmStoreError``.
    func describing(_ job: JobView) async throws -> JobView { try await describing([job])[0] }
}
