package import Foundation

/// What a farm did in a period: the answer to `GET /v1/report`.
package struct FarmReport: Sendable, Hashable, Codable {
    /// The beginning of the period.
    package var since: Date
    /// The end of the period, exclusive.
    package var until: Date
    /// The owner whose jobs are counted; nil for those of all.
    package var owner: String?
    /// The numbers over all jobs.
    package var totals: ReportTotals
    /// The jobs that failed in the period, the last first; the first ``mostJobs`` of them.
    package var failed: [ReportedJob]
    /// The jobs that missed their deadlines, as ``ReportTotals/late`` counts them, and then those that as it looks now
    /// will; the first ``mostJobs`` of them.
    package var late: [ReportedJob]
    /// The finished movies that do not lie where they go yet; the first ``mostJobs`` of them.
    package var undelivered: [ReportedJob]
    /// The jobs that have not ended, the oldest first; the first ``mostJobs`` of them.
    package var unfinished: [ReportedJob]
    /// The jobs that were completed in the period, the last first; the first ``mostJobs`` of them.
    package var completed: [ReportedJob]
    /// The jobs on which machines were longest in the period, the longest first; at most ``mostSlow``.
    package var slowest: [ReportedJob]
    /// The machines that worked in the period, those that were at it longest first.
    package var machines: [ReportedMachine]

    /// The most jobs of one list.
    package static let mostJobs = 500
    /// The most jobs of ``slowest``.
    package static let mostSlow = 20

    package init(
        since: Date,
        until: Date,
        owner: String?,
        totals: ReportTotals,
        failed: [ReportedJob] = [],
        late: [ReportedJob] = [],
        undelivered: [ReportedJob] = [],
        unfinished: [ReportedJob] = [],
        completed: [ReportedJob] = [],
        slowest: [ReportedJob] = [],
        machines: [ReportedMachine] = []
    ) {
        (self.since, self.until, self.owner, self.totals) = (since, until, owner, totals)
        (self.failed, self.late, self.undelivered, self.unfinished) = (failed, late, undelivered, unfinished)
        (self.completed, self.slowest, self.machines) = (completed, slowest, machines)
    }
}

/// The numbers of a ``FarmReport``. Those of jobs count the ones that ended in the period.
package struct ReportTotals: Sendable, Hashable, Codable {
    /// The jobs that were completed, failed and cancelled.
    package var completed = 0
    package var failed = 0
    package var cancelled = 0
    /// The jobs that have not ended.
    package var unfinished = 0
    /// The jobs that missed their deadlines: those that were completed in the period after them, those that failed,
    /// counted when both the failure and the deadline have come, and those, of any time, that have not ended though it
    /// has passed.
    package var late = 0
    /// The finished movies, of any time, that do not lie where they go yet.
    package var undelivered = 0
    /// The frames of completed outputs, and those of them that are copied and not encoded.
    package var frames: Int64 = 0
    package var copiedFrames: Int64 = 0
    /// The bytes of completed outputs.
    package var bytes: Int64 = 0
    /// The frames that machines rendered in the period, also for jobs that have not ended; copied ones do not count.
    package var renderedFrames: Int64 = 0
    /// The time that machines worked in the period, added up over all attempts that ended in it, in milliseconds.
    package var workMilliseconds: Int64 = 0

    package init() {}
}

/// A job in a ``FarmReport``.
package struct ReportedJob: Sendable, Hashable, Codable {
    package var job: JobView
    /// What somebody can do about it, as a sentence; nil where nothing is to be done.
    package var advice: String?
    /// The time that machines worked on it in the period, in milliseconds; nil outside of ``FarmReport/slowest``.
    package var workMilliseconds: Int64?

    package init(job: JobView, advice: String? = nil, workMilliseconds: Int64? = nil) {
        (self.job, self.advice, self.workMilliseconds) = (job, advice, workMilliseconds)
    }
}

/// A machine in a ``FarmReport``: all workers of one name.
package struct ReportedMachine: Sendable, Hashable, Codable {
    /// The name of its workers.
    package var name: String
    /// The attempts that were completed, and those that failed.
    package var completed: Int
    package var failed: Int
    /// The frames that it rendered; copied ones do not count.
    package var renderedFrames: Int64
    /// The time that it worked, added up over its attempts, in milliseconds.
    package var workMilliseconds: Int64

    package init(name: String, completed: Int, failed: Int, renderedFrames: Int64, workMilliseconds: Int64) {
        (self.name, self.completed, self.failed) = (name, completed, failed)
        (self.renderedFrames, self.workMilliseconds) = (renderedFrames, workMilliseconds)
    }
}
