import Farm
import WireProtocol

/// It chooses the jobs that are told to be late: those whose deadline has passed at once, those that an estimate says will
/// miss it once two looks in a row said so. One estimate may be wild, just after a worker left or the parts of a stage turned
/// out to be dear.
struct DeadlineLooks {
    /// The jobs that the last look said will be late.
    private var doubtful: Set<JobID> = []

    /// Notes a look.
    /// - Parameters:
    ///   - jobs: the unfinished jobs with deadlines, each with its ``JobView/deadlineWarning``.
    ///   - now: the time by the database's clock.
    /// - Returns: the jobs to tell of.
    mutating func look(_ jobs: [JobView], at now: FarmTime) -> [JobView] {
        let late = jobs.filter { $0.deadlineWarning != nil }
        let due = late.filter { job in
            doubtful.contains(job.id) || job.deadline.map { FarmTime($0) < now } ?? false
        }
        doubtful = Set(late.map(\.id))
        return due
    }
}
