import CompositionModel
import Foundation
import Planning
import Timing

/// A worker as clients see it: a row of `GET /v1/workers`.
package struct WorkerView: Sendable, Hashable, Codable {
    /// The identifier, new for every registration.
    package var id: WorkerID
    /// The worker's name; several workers may share one.
    package var name: String
    /// The number of tasks that the worker runs at a time.
    package var slots: Int
    /// Whether the worker was asked to take no new tasks.
    package var isDraining: Bool
    /// The seconds since the worker last sent a request, by the database's clock.
    package var secondsSinceSeen: Double
    /// The number of the worker's live attempts.
    package var running: Int
    /// The number of the worker's attempts that completed a task, since it registered.
    package var completed: Int
    /// The number of the worker's attempts that failed, since it registered.
    package var failed: Int
    /// The kinds of tasks that it does: `stitch` alone for a coordinator, which joins. Nil in answers of earlier versions.
    package var kinds: [TaskKind]?
    /// The versions of its renderer and libraries, as in ``JobView/awaitedVersions``; nil as above.
    package var versions: String?
    /// The tasks that it has under way, by attempt, at most 64; nil as above.
    package var doing: [WorkerTask]?
    /// The picture segment that it completed last; nil before the first, and as above.
    package var last: WorkerSegment?
    /// What it last said of its machine, to this coordinator since its start; nil as above.
    package var machine: MachineReading?
    /// The name of the machine that it runs on, as it registered; nil for one that named none, and as above.
    package var machineName: String?
    /// Its tags; nil for none, and as above.
    package var tags: [String]?
    /// The memory of its machine in bytes, as it registered; nil as above.
    package var memoryBytes: Int64?
    /// The reason why it is on the blocklist, as a sentence; nil for one that is not.
    package var blocked: String?

    package init(
        id: WorkerID,
        name: String,
        slots: Int,
        isDraining: Bool,
        secondsSinceSeen: Double,
        running: Int,
        completed: Int,
        failed: Int,
        kinds: [TaskKind]? = nil,
        versions: String? = nil,
        doing: [WorkerTask]? = nil,
        last: WorkerSegment? = nil,
        machine: MachineReading? = nil,
        machineName: String? = nil,
        tags: [String]? = nil,
        memoryBytes: Int64? = nil,
        blocked: String? = nil
    ) {
        self.id = id
        self.name = name
        self.slots = slots
        self.isDraining = isDraining
        self.secondsSinceSeen = secondsSinceSeen
        self.running = running
        self.completed = completed
        self.failed = failed
        self.kinds = kinds
        self.versions = versions
        self.doing = doing
        self.last = last
        self.machine = machine
        self.machineName = machineName
        self.tags = tags
        self.memoryBytes = memoryBytes
        self.blocked = blocked
    }
}
