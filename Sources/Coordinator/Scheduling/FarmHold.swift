import WireProtocol

/// What keeps the whole farm from beginning anything new: too little room on this coordinator's disks, or a bucket that does
/// not answer. What runs goes on, and all goes on by itself once the cause is gone.
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
        guard bucket?.isSilent == true else { return nil }
        return Reason(
            title: "The farm's bucket does not answer",
            sentence:
                "The farm's bucket does not answer, so that nothing new begins. It goes on by itself once the bucket "
                + "is there again; the coordinator's log says what was answered."
        )
    }

    /// The jobs, with the reason why those that are not final are on hold.
    func noting(_ jobs: [JobView]) -> [JobView] {
        guard let reason else { return jobs }
        return jobs.map { job in
            var job = job
            if !job.state.isFinal { job.onHold = reason.sentence }
            return job
        }
    }

    /// The job, with the reason why it is on hold.
    func noting(_ job: JobView) -> JobView { noting([job])[0] }
}
