package import WireProtocol

/// The period of a report, and whose jobs it is about.
package struct FarmPeriod: Sendable, Hashable {
    /// The first instant.
    package var since: FarmTime
    /// The end, exclusive.
    package var until: FarmTime
    /// The owner of the jobs; nil is everybody.
    package var owner: String?

    package init(since: FarmTime, until: FarmTime, owner: String? = nil) {
        (self.since, self.until, self.owner) = (since, until, owner)
    }
}

/// A list of jobs in a report.
package enum FarmPeriodList: String, Sendable, Hashable, CaseIterable {
    /// Those that were completed in the period, the last first.
    case completed
    /// Those that failed in the period, the last first.
    case failed
    /// Those that missed their deadlines, the last first and then those that have not ended: they were completed in the
    /// period after the deadline, failed, of which the later of both instants lies in the period, or have not ended
    /// though it has passed. For a cancelled one nobody waits any more.
    case late
    /// Those that have not ended, in the order of their submission.
    case unfinished
    /// Those whose finished movies do not lie where they go yet, in the order of their submission.
    case undelivered
}

/// The numbers of a period.
package struct FarmPeriodTally: Sendable, Hashable {
    package var totals: ReportTotals
    /// The workers by name, those that worked longest first, then by name.
    package var machines: [ReportedMachine]
    /// The jobs on which workers were longest, at most ``FarmReport/mostSlow``, the longest first, then by identifier.
    package var slowest: [JobWork]

    /// The time that workers were at a job.
    package struct JobWork: Sendable, Hashable {
        package var job: JobID
        package var milliseconds: Int64

        package init(job: JobID, milliseconds: Int64) { (self.job, self.milliseconds) = (job, milliseconds) }
    }

    package init(totals: ReportTotals, machines: [ReportedMachine], slowest: [JobWork]) {
        (self.totals, self.machines, self.slowest) = (totals, machines, slowest)
    }
}
