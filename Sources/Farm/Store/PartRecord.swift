package import CompositionModel
package import WireProtocol

/// An accepted artifact under the key of the task that it was made for: every later task of this key takes it in place
/// of being rendered again.
package struct PartRecord: Sendable, Hashable, Codable {
    /// The digest of everything that the bytes depend on but the versions (``NewTask/key``).
    package var key: ContentDigest
    /// The versions that made the bytes. A part is for tasks of these versions alone.
    package var versions: RenderVersions
    /// The kind of the task.
    package var kind: TaskKind
    /// The digest of the bytes.
    package var artifact: ContentDigest
    /// The number of bytes.
    package var byteCount: Int64
    /// The number of frames or samples in the bytes.
    package var unitCount: Int64
    /// The cost of the attempt that made it.
    package var statistics: TaskStatistics
    /// The worker that made it.
    package var worker: WorkerID
    /// The name that the worker had at the time.
    package var workerName: String
    /// The name of the machine that the worker ran on; nil when it is not known.
    package var machine: String?
    /// The time when it was accepted.
    package var made: FarmTime
    /// The time when it was accepted or last taken.
    package var used: FarmTime
    /// The number of tasks that took it.
    package var uses = 0

    /// Makes a part of a task that has just been completed by an attempt.
    /// - Returns: nil for a task without a key, and for a source about which there are warnings: they are told in the words
    ///   of one edit, so that another's task is better rendered again.
    package init?(_ task: TaskRecord, versions: RenderVersions, by attempt: AttemptRecord, at now: FarmTime) {
        guard let key = task.key, let artifact = task.artifact, let byteCount = task.byteCount,
            let unitCount = task.unitCount, let statistics = task.statistics, statistics.warnings == nil
        else { return nil }
        self.init(
            key: key,
            versions: versions,
            kind: task.kind,
            artifact: artifact,
            byteCount: byteCount,
            unitCount: unitCount,
            statistics: statistics,
            worker: attempt.worker,
            workerName: attempt.workerName,
            machine: attempt.machine,
            made: now,
            used: now
        )
    }

    /// Makes a row of the given values.
    package init(
        key: ContentDigest,
        versions: RenderVersions,
        kind: TaskKind,
        artifact: ContentDigest,
        byteCount: Int64,
        unitCount: Int64,
        statistics: TaskStatistics,
        worker: WorkerID,
        workerName: String,
        machine: String? = nil,
        made: FarmTime,
        used: FarmTime,
        uses: Int = 0
    ) {
        self.key = key
        self.versions = versions
        self.kind = kind
        self.artifact = artifact
        self.byteCount = byteCount
        self.unitCount = unitCount
        self.statistics = statistics
        self.worker = worker
        self.workerName = workerName
        self.machine = machine
        self.made = made
        self.used = used
        self.uses = uses
    }

    /// The name of the part among all: no two have the same.
    package var name: PartName { PartName(key: key, versions: versions) }
}

extension PartRecord {
    /// Whether `left` was used after `right`; of two that were used at once, the one of the smaller key.
    package static func isUsedLater(_ left: PartRecord, _ right: PartRecord) -> Bool {
        if left.used != right.used { return left.used > right.used }
        if left.key != right.key { return left.key.description < right.key.description }
        return left.versions.text < right.versions.text
    }
}
