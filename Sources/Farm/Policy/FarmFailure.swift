import Timing
import WireProtocol
import CompositionModel

/// The failures that the farm itself finds, and the codes by which it tells them apart.
public enum FarmFailure {
    /// A worker reports its render child died of a signal, a limit or without a result under these codes.
    public static let renderCrashed = "render_crashed"
    public static let renderOutOfMemory = "render_out_of_memory"
    public static let renderTimeLimit = "render_time_limit"
    /// It was stopped for the processor time it took, of which a machine of many cores allows more.
    public static let renderCPULimit = "render_cpu_limit"
    /// It was stopped for what it wrote: a limit that follows from the task alone.
    public static let renderFileLimit = "render_file_limit"
    public static let leaseExpired = "lease_expired"
    public static let taskQuarantined = "task_quarantined"
    public static let attemptsExhausted = "attempts_exhausted"

    /// The worker had no answer from its coordinator, or none that it understood.
    public static let coordinatorUnreachable = "coordinator_unreachable"
    /// The coordinator did not give the worker the bytes of a source.
    public static let assetUnavailable = "asset_unavailable"

    /// The task is for other versions of the renderer or its libraries than the worker's render program has.
    public static let versionMismatch = "version_mismatch"

    /// The coordinator's disk is full, and that of a worker's own machine; `storageFailed`: the coordinator's fails.
    public static let noSpace = "no_space"
    public static let workerNoSpace = "worker_no_space"
    static let storageFailed = "storage_failed"

    /// Whether `code` proves nothing against the worker when another does the task: something between it and the
    /// coordinator failed, or at the coordinator, or the task was for another.
    static func provesNothing(_ code: String) -> Bool {
        [coordinatorUnreachable, assetUnavailable, versionMismatch, noSpace, storageFailed].contains(code)
    }

    /// Whether `code` says that a worker's render child died over the task.
    public static func isDeath(_ code: String) -> Bool {
        [renderCrashed, renderOutOfMemory, renderTimeLimit, renderCPULimit].contains(code)
    }

    /// Whether `code` says that the task needs more than a render child is given, whosever.
    static func isLimit(_ code: String) -> Bool { code == renderFileLimit }

    static let pastDeadline = Failure(
        code: renderTimeLimit,
        message: "The task did not end by its deadline and was stopped; another worker tries it.",
        isPermanent: false
    )

    static func expired(_ attempt: AttemptRecord) -> Failure {
        Failure(
            code: leaseExpired,
            message: "Worker \(attempt.workerName) was not heard of until its lease ended; the task goes to another.",
            isPermanent: false
        )
    }

    static func quarantined(_ task: TaskRecord, deaths: [AttemptRecord]) -> Failure {
        let names = deaths.map(\.workerName).uniqued().joined(separator: ", ")
        let last = deaths.last?.failure?.message ?? ""
        return Failure(
            code: taskQuarantined,
            message: "\(task.label) stopped \(names) \(deaths.count) times and is not tried again. Last: \(last)",
            isPermanent: true
        )
    }

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

    /// Where every try met a full disk the code says so: it is not the edit's fault, and a program may wait for room.
    static func exhausted(_ task: TaskRecord, failures: [AttemptRecord]) -> Failure {
        let last = failures.last?.failure?.message ?? ""
        let isFull = failures.allSatisfy { [noSpace, workerNoSpace].contains($0.failure?.code) }
        return Failure(
            code: isFull ? noSpace : attemptsExhausted,
            message: "\(task.label) failed \(failures.count) times and is not tried again. Last: \(last)",
            isPermanent: true
        )
    }
}

extension TaskRecord {
    /// What a user calls it, at the head of a sentence.
    var label: String {
        switch kind {
        case .picture:
            "Segment \(position)" + (frames.map { " (frames \($0.start) to \($0.end), exclusive)" } ?? "")
        case .sound: "The sound" + (frames.map { " (frames \($0.start) to \($0.end), exclusive)" } ?? "")
        case .stitch: "Joining the segments"
        case .stills: "Part \(position) of the stills"
        case .measure:
            "Measuring the sound" + (frames.map { " (frames \($0.start) to \($0.end), exclusive)" } ?? "")
        }
    }
}

extension Sequence where Element: Hashable {
    /// Without repetitions, in the order of first appearance.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
