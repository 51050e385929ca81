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
    /// That worker's name at the time.
    package var workerName: String
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
        self.made = made
        self.used = used
        self.uses = uses
    }

    /// The name of the part among all: no two have the same.
    package var name: PartName { PartName(key: key, versions: versions) }
}

/// What a part is found by.
package struct PartName: Sendable, Hashable {
    /// The key of the task.
    package var key: ContentDigest
    /// The versions for which the task was planned.
    package var versions: RenderVersions

    /// Makes a name.
    package init(key: ContentDigest, versions: RenderVersions) {
        self.key = key
        self.versions = versions
    }
}

/// A task that waits, and the part that it can take.
package struct PartOffer: Sendable, Hashable {
    /// The task, which is queued.
    package var task: TaskID
    /// The part of its key and versions.
    package var part: PartRecord

    /// Makes an offer.
    package init(task: TaskID, part: PartRecord) {
        self.task = task
        self.part = part
    }
}

/// What all parts come to.
package struct PartTotals: Sendable, Hashable, Codable {
    /// The number of parts.
    package var count = 0
    /// Their bytes.
    package var byteCount: Int64 = 0
    /// The number of tasks that took one of them.
    package var uses = 0
    /// The milliseconds of processor time that these tasks would have cost.
    package var savedMilliseconds: Int64 = 0

    /// Makes the totals of no parts.
    package init() {}

    /// Makes totals of the given values.
    package init(count: Int, byteCount: Int64, uses: Int, savedMilliseconds: Int64) {
        (self.count, self.byteCount, self.uses, self.savedMilliseconds) = (count, byteCount, uses, savedMilliseconds)
    }
}

/// Which parts are meant.
package enum PartSelection: Sendable, Hashable {
    /// All.
    case all
    /// Those that were made by workers of this name.
    case madeBy(String)
    /// Those that were neither made nor taken for so many milliseconds.
    case unused(milliseconds: Int64)
    /// The least recently used, so that the others have no more bytes than this.
    case beyond(bytes: Int64)
}
