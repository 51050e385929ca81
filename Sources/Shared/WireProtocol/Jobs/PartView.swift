package import CompositionModel
package import Foundation

/// A part that is kept for later jobs, as clients see it.
package struct PartView: Sendable, Hashable, Codable {
    /// The digest of everything that determines the bytes but the versions of the libraries.
    package var key: ContentDigest
    /// The kind of the task that makes it.
    package var kind: TaskKind
    /// The digest of the bytes.
    package var artifact: ContentDigest
    /// The number of bytes.
    package var byteCount: Int64
    /// The number of frames, or of samples per channel.
    package var unitCount: Int64
    /// The processor time in milliseconds that making it took.
    package var cpuMilliseconds: Int64
    /// The name of the worker that made it.
    package var worker: String
    /// The time when it was made.
    package var made: Date
    /// The time when it was made or last taken.
    package var used: Date
    /// The number of tasks that took it.
    package var uses: Int

    package init(
        key: ContentDigest,
        kind: TaskKind,
        artifact: ContentDigest,
        byteCount: Int64,
        unitCount: Int64,
        cpuMilliseconds: Int64,
        worker: String,
        made: Date,
        used: Date,
        uses: Int
    ) {
        self.key = key
        self.kind = kind
        self.artifact = artifact
        self.byteCount = byteCount
        self.unitCount = unitCount
        self.cpuMilliseconds = cpuMilliseconds
        self.worker = worker
        self.made = made
        self.used = used
        self.uses = uses
    }
}

/// The answer to `GET /v1/parts`.
package struct PartList: Sendable, Hashable, Codable {
    /// What all parts come to.
    package struct Totals: Sendable, Hashable, Codable {
        /// The number of parts.
        package var count: Int
        /// Their bytes.
        package var byteCount: Int64
        /// The number of tasks that took one of them.
        package var uses: Int
        /// The processor time in milliseconds that these tasks would have cost.
        package var savedMilliseconds: Int64

        package init(count: Int, byteCount: Int64, uses: Int, savedMilliseconds: Int64) {
            self.count = count
            self.byteCount = byteCount
            self.uses = uses
            self.savedMilliseconds = savedMilliseconds
        }
    }

    /// What all parts come to, also those that are not listed.
    package var totals: Totals
    /// The parts, the most recently used first.
    package var parts: [PartView]

    package init(totals: Totals, parts: [PartView]) {
        self.totals = totals
        self.parts = parts
    }
}

/// The body of `POST /v1/parts:prune`: one of the three.
package struct PartPruning: Sendable, Hashable, Codable {
    /// The bytes that may stay; the least recently used parts go first.
    package var keepBytes: Int64?
    /// The seconds without a use after which a part goes.
    package var unusedSeconds: Int64?
    /// The name of the workers whose parts go.
    package var worker: String?

    package init(keepBytes: Int64? = nil, unusedSeconds: Int64? = nil, worker: String? = nil) {
        self.keepBytes = keepBytes
        self.unusedSeconds = unusedSeconds
        self.worker = worker
    }
}

/// The body of `POST /v1/parts:withdraw`.
package struct PartWithdrawal: Sendable, Hashable, Codable {
    /// The name of the workers whose parts are taken back, also from unfinished jobs.
    package var worker: String

    package init(worker: String) { self.worker = worker }
}

/// What was removed or withdrawn.
package struct PartRemoval: Sendable, Hashable, Codable {
    /// The parts.
    package var parts: [PartView]
    /// The tasks of unfinished jobs that are rendered again.
    package var tasks: [TaskID]

    package init(parts: [PartView], tasks: [TaskID]) {
        self.parts = parts
        self.tasks = tasks
    }
}
