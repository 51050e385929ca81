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
