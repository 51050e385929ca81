import WireProtocol

/// What keeps this coordinator from granting tasks: too little room on its disks, or a bucket that cannot be used. What runs
/// goes on, and all goes on by itself once the cause is gone.
struct FarmHold: Sendable {
    let space: SpaceWatch
    /// Nil where the artifacts are in a folder.
    let bucket: BucketWatch?

    /// The cause, as people are told of it.
    struct Reason: Sendable, Hashable {
        let title: String
        let sentence: String
    }

    /// The cause; nil while there is none.
    var reason: Reason? {
        if let shortage = space.shortage() {
            return Reason(title: "The coordinator's disk is nearly full", sentence: shortage.description)
        }
        guard bucket?.isAway == true else { return nil }
        return Reason(
            title: "The farm's bucket cannot be used",
            sentence:
                "The farm's bucket does not answer, or refuses, so that nothing new begins. It goes on by itself once "
                + "the bucket can be used again; the coordinator's log says what is wrong."
        )
    }
}

extension FarmHold.Reason {
    /// The jobs, with the reason why those that are not final are on hold.
    func noting(_ jobs: [JobView]) -> [JobView] {
        jobs.map { job in
            var job = job
            if !job.state.isFinal { job.onHold = sentence }
            return job
        }
    }
}

extension FarmHold {
    /// The job, with the reason why it is on hold.
    func noting(_ job: JobView) -> JobView { reason?.noting([job]).first ?? job }
}
