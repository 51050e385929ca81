package import WireProtocol

/// The numbers of what a farm has at one instant.
package struct FarmTally: Sendable, Hashable {
    /// The states of a worker that monitoring tells apart.
    package enum WorkerState: String, Sendable, Hashable, CaseIterable {
        /// It holds a lease.
        case working
        /// It holds none.
        case idle
        /// It takes nothing new.
        case draining
        /// It was not heard of for ``FarmPolicy/workerAbsenceMilliseconds``, and did not say that it leaves.
        case silent
    }

    /// The highest priority that is told apart, and, negated, the lowest; others count as the nearest.
    package static let outermostPriority = 10

    /// The queued tasks of open stages by their job's priority, between the outermost priorities.
    package var queuedTasks: [Int: Int]
    /// The jobs by state.
    package var jobs: [JobState: Int]
    /// The live leases.
    package var leases: Int
    /// The workers that were heard of lately, without the coordinators, which join movies.
    package var workers: [WorkerState: Int]
    /// The milliseconds since the oldest of the jobs was stored that are queued and not paused; nil when there is none.
    package var oldestQueuedMilliseconds: Int64?

    /// Makes a tally of the given numbers.
    package init(
        queuedTasks: [Int: Int] = [:],
        jobs: [JobState: Int] = [:],
        leases: Int = 0,
        workers: [WorkerState: Int] = [:],
        oldestQueuedMilliseconds: Int64? = nil
    ) {
        (self.queuedTasks, self.jobs, self.leases, self.workers) = (queuedTasks, jobs, leases, workers)
        self.oldestQueuedMilliseconds = oldestQueuedMilliseconds
    }

    /// The priority under which tasks of `priority` are counted.
    package static func counted(_ priority: Int) -> Int {
        min(max(priority, -outermostPriority), outermostPriority)
    }
}
