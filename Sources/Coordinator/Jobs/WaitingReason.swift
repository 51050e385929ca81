import Farm
import Timing
import WireProtocol

/// Finds the one reason why nothing of an unfinished job is under way: the one that holds whatever else is put right
/// comes first.
struct WaitingReason {
    /// The job, of which nobody that was heard of lately holds a task.
    let job: JobView
    let standing: JobStanding
    /// All workers and coordinators that are listed.
    let workers: [WorkerView]
    /// What keeps the coordinator from granting tasks; nil for nothing.
    let hold: FarmHold.Reason?
    /// The time by the database's clock.
    let now: FarmTime

    /// The reason; nil when the job's next task is about to begin.
    var waiting: JobWaiting? {
        if job.isPaused == true {
            return JobWaiting("Paused", detail: "Nothing new begins until the job is resumed.")
        }
        if let hold { return JobWaiting(hold.title, detail: hold.sentence) }
        if let earlier = job.awaitedJobs, !earlier.isEmpty { return after(earlier) }
        if job.state == .stitching { return joining }
        if let window = WindowWords(job, now: now) { return window.waiting }
        return noWorker ?? versions ?? requirements ?? audit ?? behind ?? busy
    }

    private func after(_ earlier: [JobID]) -> JobWaiting {
        let named = earlier.prefix(3).map(\.description).joined(separator: ", ")
        let others = earlier.count > 3 ? " and \(earlier.count - 3) more" : ""
        return JobWaiting(
            earlier.count == 1 ? "Waits for another job" : "Waits for \(earlier.count) other jobs",
            detail: "It begins once \(earlier.count == 1 ? "this is" : "these are") completed: \(named)\(others)."
        )
    }

    /// Workers that render and were heard of lately.
    private var present: [WorkerView] {
        workers.filter { $0.secondsSinceSeen * 1000 <= Double(FarmPolicy().workerAbsenceMilliseconds) }
            .filter { $0.kinds != [.stitch] }
    }

    private var noWorker: JobWaiting? {
        guard !present.isEmpty else {
            let advice = "Start one: cutfarm worker --coordinator ADDRESS --token-file FILE."
            let lost = workers.count { $0.kinds != [.stitch] }
            guard lost > 0 else { return JobWaiting("No worker connected", detail: advice) }
            let plural = lost == 1 ? "One worker was" : "\(lost) workers were"
            return JobWaiting("No worker connected", detail: "\(plural) here and fell silent. \(advice)")
        }
        guard present.allSatisfy(\.isDraining) else { return nil }
        return JobWaiting(
            "All workers are draining",
            detail: "They finish what they have and take nothing new. Start another worker."
        )
    }

    private var versions: JobWaiting? {
        guard let wanted = job.awaitedVersions else { return nil }
        return JobWaiting(
            "Needs other versions",
            detail: "The job was planned for \(wanted), which no worker that takes work has. Start one, or cancel the "
                + "job and submit it again."
        )
    }

    /// No worker that is here has what the job requires.
    private var requirements: JobWaiting? {
        guard let wanted = job.requirements, !wanted.isEmpty else { return nil }
        let able = present.filter { !$0.isDraining && $0.blocked == nil }
        guard !able.contains(where: { worker in wanted.allSatisfy { worker.meets($0) } }) else { return nil }
        let missing = wanted.filter { requirement in !able.contains { $0.meets(requirement) } }
        let words = (missing.isEmpty ? wanted : missing).map(\.text).joined(separator: ", ")
        let here = able.prefix(5).map(\.abilities).joined(separator: "; ")
        return JobWaiting(
            missing.isEmpty ? "No worker has everything that it requires" : "No worker has what it requires",
            detail: "Required is \(words)\(missing.isEmpty ? " together" : ""). Connected: \(here)"
                + (able.count > 5 ? "; and \(able.count - 5) more." : ".")
                + " Start such a worker (cutfarm worker --tag NAME), or cancel the job and submit it again."
        )
    }

    /// The machines that are here have all rendered what is to be audited.
    private var audit: JobWaiting? {
        let able = present.filter { !$0.isDraining && $0.blocked == nil }
        let stuck = standing.auditing.filter { wait in
            !able.contains { wait.admits(name: $0.name, machine: $0.machineName) }
        }
        guard let first = stuck.first(where: { $0.claims.count > 1 }) ?? stuck.first else { return nil }
        let makers = first.claims.map(\.workerName.visible)
        guard makers.count > 1 else {
            let parts = stuck.count == 1 ? "One part is" : "\(stuck.count) parts are"
            return JobWaiting(
                "Waits for a second machine",
                detail:
                    "\(parts) to be audited: rendered again on another machine than that of “\(makers[0])”. Start a "
                    + "worker on one, or cancel the job and submit it without an audit."
            )
        }
        return JobWaiting(
            "Waits for another machine to decide",
            detail:
                "Part \(first.position + 1) came out differently on \(makers.joined(separator: " and ")), so that one of "
                + "them is faulty. Start a worker on another machine: it renders the part too and decides."
        )
    }

    private var behind: JobWaiting? {
        let order = "Jobs of one owner go by priority, then in the order of their submission."
        if standing.higher > 0 {
            let jobs = standing.higher == 1 ? "1 job" : "\(standing.higher) jobs"
            return JobWaiting("Behind \(jobs) of higher priority", detail: order)
        }
        guard standing.earlier > 0 else { return nil }
        return JobWaiting(
            "Behind \(standing.earlier == 1 ? "1 earlier job" : "\(standing.earlier) earlier jobs")",
            detail: order
        )
    }

    private var busy: JobWaiting? {
        let able = present.filter { !$0.isDraining }
        let slots = able.reduce(0) { $0 + $1.slots }
        let running = able.reduce(0) { $0 + $1.running }
        guard running >= slots else { return nil }
        return JobWaiting(
            "All workers are busy",
            detail:
                "\(slots == 1 ? "The only slot renders" : "All \(slots) slots render") jobs of other owners. Slots that "
                + "become free go round between the owners."
        )
    }

    private var joining: JobWaiting? {
        guard job.awaitedVersions == nil else { return versions }
        let joiners = workers.filter { $0.kinds?.contains(.stitch) == true && !$0.isDraining }
        guard joiners.isEmpty || joiners.allSatisfy({ $0.running >= $0.slots }) else { return nil }
        return JobWaiting(
            "Waits to be joined",
            detail: "All segments are done. Coordinators join one movie after the other."
        )
    }
}
