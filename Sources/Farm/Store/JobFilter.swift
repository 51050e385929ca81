package import WireProtocol

/// The jobs to list, newest first, by identifier.
package struct JobFilter: Sendable, Hashable {
    /// The owner of the jobs; nil lists those of every owner.
    package var owner: String?
    /// The states of the jobs; empty lists those in every state.
    package var states: [JobState]
    /// The job before which the listed ones were made: the last of the page before; nil begins with the newest.
    package var before: JobID?
    /// What the titles of the jobs contain, whatever the case of its letters; nil lists those of every title.
    package var search: String?
    /// The identifiers among which those of the jobs are; nil lists those of every identifier.
    package var identifiers: ClosedRange<JobID>?
    /// Whether the jobs are paused ones that are not final; nil lists both.
    package var isPaused: Bool?
    /// The most jobs to list.
    package var limit: Int

    /// Makes a filter; by default it lists the newest hundred of all jobs.
    package init(
        owner: String? = nil,
        states: [JobState] = [],
        before: JobID? = nil,
        search: String? = nil,
        identifiers: ClosedRange<JobID>? = nil,
        isPaused: Bool? = nil,
        limit: Int = 100
    ) {
        self.owner = owner
        self.states = states
        self.before = before
        self.search = search
        self.identifiers = identifiers
        self.isPaused = isPaused
        self.limit = limit
    }

    /// Whether a job is one of those, whatever the ``limit``.
    package func selects(_ job: JobRecord) -> Bool {
        (owner == nil || owner == job.owner)
            && (states.isEmpty || states.contains(job.state))
            && (before.map { job.id < $0 } ?? true)
            && (search.map { job.title.lowercased().contains($0.lowercased()) } ?? true)
            && (identifiers?.contains(job.id) ?? true)
            && (isPaused.map { $0 == (job.isPaused && !job.state.isFinal) } ?? true)
    }
}
