package import CompositionModel
import Timing
import WireProtocol

/// The failures that the farm itself finds, and the codes by which it tells them apart.
package enum FarmFailure {
    /// A render child died of a signal, or ended without a result.
    package static let renderCrashed = "render_crashed"
    /// A render child needed more memory than it is given.
    package static let renderOutOfMemory = "render_out_of_memory"
    /// A render child was stopped for the time it took.
    package static let renderTimeLimit = "render_time_limit"
    /// A render child was stopped for the processor time it took; a machine of many cores allows more.
    package static let renderCPULimit = "render_cpu_limit"
    /// A render child was stopped for what it wrote: a limit that follows from the task alone.
    package static let renderFileLimit = "render_file_limit"
    /// A worker was not heard of until its lease ended.
    package static let leaseExpired = "lease_expired"
    /// A task stopped so many workers that it is not tried again.
    package static let taskQuarantined = "task_quarantined"
    /// A task failed so often that it is not tried again.
    package static let attemptsExhausted = "attempts_exhausted"

    /// The worker had no answer from its coordinator, or none that it understood.
    package static let coordinatorUnreachable = "coordinator_unreachable"
    /// The coordinator did not give the worker the bytes of a source.
    package static let assetUnavailable = "asset_unavailable"

    /// The coordinator has the bytes of a source no more: they were removed, or have rotted.
    package static let assetGone = "asset_gone"

    /// The task is for other versions of the renderer or its libraries than the worker's render program has.
    package static let versionMismatch = "version_mismatch"

    /// The coordinator's disk is full.
    package static let noSpace = "no_space"
    /// The disk of the worker's own machine is full.
    package static let workerNoSpace = "worker_no_space"
    /// The coordinator's disk fails.
    package static let storageFailed = "storage_failed"

    /// The accepted artifact of an attempt is gone from the coordinator's disk, or has rotted there.
    package static let artifactLost = "artifact_lost"
    /// The accepted artifact of an attempt is not what its task asks for: its worker made it so.
    package static let artifactDamaged = "artifact_damaged"
    /// Somebody withdrew everything that a worker made.
    package static let partWithdrawn = "part_withdrawn"

    /// A machine made other bytes of an audited task than two others.
    package static let auditMismatch = "audit_mismatch"
    /// Every machine made something else of an audited task.
    package static let auditUndecided = "audit_undecided"

    /// A job after which this one begins failed or was cancelled.
    package static let earlierJobFailed = "earlier_job_failed"

    /// Whether `code` proves nothing against the worker when another does the task: something failed between it and the
    /// coordinator, or at the coordinator, or the task was for another worker, or its disk was full, which passes, or
    /// somebody withdrew what was made: the withdrawn bytes may be another worker's that happen to be equal.
    static func provesNothing(_ code: String) -> Bool {
        [
            coordinatorUnreachable, assetUnavailable, versionMismatch, noSpace, workerNoSpace, storageFailed,
            artifactLost, assetGone, partWithdrawn,
        ].contains(code)
    }

    /// Whether what was made by a measurement that failed so is wrong too: when bytes are lost or damaged, nothing is known
    /// against what was made by them.
    package static func spreads(_ failure: Failure) -> Bool { failure.code == partWithdrawn }

    /// Whether `code` says that a worker's render child died over the task.
    package static func isDeath(_ code: String) -> Bool {
        [renderCrashed, renderOutOfMemory, renderTimeLimit, renderCPULimit].contains(code)
    }

    /// Whether `code` says that the task needs more than any render child is given.
    static func isLimit(_ code: String) -> Bool { code == renderFileLimit }

    /// Whether a full disk is the cause, the coordinator's or a worker's.
    package static func isFullDisk(_ failure: Failure) -> Bool { [noSpace, workerNoSpace].contains(failure.code) }

    /// The failure of an attempt that did not end by its deadline.
    static let pastDeadline = Failure(
        code: renderTimeLimit,
        message: "The task did not end by its deadline and was stopped; another worker tries it.",
        isPermanent: false
    )

    /// The failure of an attempt whose lease ended.
    static func expired(_ attempt: AttemptRecord) -> Failure {
        Failure(
            code: leaseExpired,
            message: "Worker \(attempt.workerName) was not heard of until its lease ended; the task goes to another.",
            isPermanent: false
        )
    }

    /// The failure of a task that stopped its workers too often.
    /// - Parameter deaths: the attempts that count, in the order of their ends.
    static func quarantined(_ task: TaskRecord, deaths: [AttemptRecord]) -> Failure {
        let names = deaths.map(\.workerName).uniqued().joined(separator: ", ")
        let last = deaths.last?.failure?.message ?? ""
        return Failure(
            code: taskQuarantined,
            message: "\(task.label) stopped \(names) \(deaths.count) times and is not tried again. Last: \(last)",
            isPermanent: true
        )
    }

    /// The failure of a task that needs more than render processes may take.
    static func limited(_ task: TaskRecord, by last: Failure, failures: [AttemptRecord]) -> Failure {
        let names = failures.map(\.workerName).uniqued().joined(separator: ", ")
        return Failure(
            code: last.code,
            message: "\(task.label) takes more than a render process may, \(failures.count) times on \(names), and is "
                + "not tried again. Last: \(last.message)",
            isPermanent: true,
            asset: last.asset
        )
    }

    /// The failure of a task that met a full disk for which nobody makes room.
    static func full(_ task: TaskRecord, by last: Failure) -> Failure {
        Failure(
            code: noSpace,
            message: "\(task.label) met a full disk and is not tried again. \(last.message)",
            isPermanent: true
        )
    }

    /// The failure of an attempt whose artifact two other machines have contradicted. Its message is the reason why the
    /// worker is blocked.
    static func outvoted(_ task: TaskRecord, by claims: [String]) -> Failure {
        Failure(
            code: auditMismatch,
            message:
                "\(task.label) of \(task.job) came out otherwise than on \(claims.joined(separator: " and ")), which agree: "
                + "its machine is faulty.",
            isPermanent: false
        )
    }

    /// The failure of an audited task of which every machine made something else.
    static func undecided(_ task: TaskRecord) -> Failure {
        Failure(
            code: auditUndecided,
            message: "\(task.label) came out differently on each of "
                + "\(task.claims.map(\.workerName).joined(separator: ", ")), and no two agree; check these machines.",
            isPermanent: true
        )
    }

    /// The failure of an accepted attempt of a worker whose machine an audit found faulty.
    package static func faulty(_ worker: String) -> Failure {
        Failure(
            code: partWithdrawn,
            message: "An audit found the machine of “\(worker)” faulty; what it made is rendered again.",
            isPermanent: false
        )
    }

    /// The failure of a job that begins after one that failed or was cancelled.
    static func after(_ earlier: EarlierJob) -> Failure {
        let what = "Job \(earlier.id) (“\(earlier.title.visible)”), after which this one was to begin,"
        return Failure(
            code: earlierJobFailed,
            message: earlier.state == .cancelled
                ? "\(what) was cancelled. Submit this one again without it."
                : "\(what) failed. Retry that one: cutfarm retry \(earlier.id). Then this one goes on by itself.",
            isPermanent: true
        )
    }

    /// The failure of a task that failed too often. Where every try met a full disk the code says so: it is not the
    /// edit's fault, and a program may wait for room.
    static func exhausted(_ task: TaskRecord, failures: [AttemptRecord]) -> Failure {
        let last = failures.last?.failure?.message ?? ""
        let isFull = failures.allSatisfy { $0.failure.map(isFullDisk) ?? false }
        return Failure(
            code: isFull ? noSpace : attemptsExhausted,
            message: "\(task.label) failed \(failures.count) times and is not tried again. Last: \(last)",
            isPermanent: true
        )
    }
}

extension TaskRecord {
    /// The words for the task at the head of a sentence.
    var label: String {
        switch kind {
        case .picture:
            "Segment \(position + 1)" + (frames.map { " (frames \($0.start) to \($0.end), exclusive)" } ?? "")
        case .sound: "The sound" + (frames.map { " (frames \($0.start) to \($0.end), exclusive)" } ?? "")
        case .stitch: "Joining the segments"
        case .stills: "Part \(position) of the stills"
        case .measure:
            "Measuring the sound" + (frames.map { " (frames \($0.start) to \($0.end), exclusive)" } ?? "")
        }
    }
}

extension Sequence where Element: Hashable {
    /// The elements without repetitions, in the order of their first appearance.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
