import WireProtocol

/// The most work that one owner may have waiting, so that nobody fills the farm's database for everybody. The numbers
/// admit ten thousand jobs of an hour in two hundred segments each.
package struct OwnerQuota: Sendable, Hashable {
    /// The number of tasks of unfinished jobs.
    package var tasks = 2_000_000
    /// The bytes of the documents of unfinished jobs: their compositions and plans.
    package var bytes: Int64 = 8 << 30

    /// Makes the quota of every owner; tests change numbers of it.
    package init() {}

    /// Admits a job beside what its owner has waiting.
    /// - Throws: ``FarmStoreError/overQuota(_:)`` when it is too much.
    package func admit(_ job: NewJob, beside load: OwnerLoad) throws(FarmStoreError) {
        try admit(job.load, of: job.owner, beside: load)
    }

    /// Admits a job that comes to `added` beside what its owner has waiting.
    /// - Throws: ``FarmStoreError/overQuota(_:)`` when it is too much.
    package func admit(_ added: OwnerLoad, of owner: String, beside load: OwnerLoad) throws(FarmStoreError) {
        guard load.tasks + added.tasks <= tasks else {
            throw .overQuota(
                "The unfinished jobs of “\(owner)” have \(load.tasks) tasks and this one has \(added.tasks); "
                    + "\(tasks) are allowed. " + OwnerQuota.advice
            )
        }
        guard load.bytes + added.bytes <= bytes else {
            throw .overQuota(
                "The plans of “\(owner)”'s unfinished jobs have \(load.bytes) bytes and this one's has "
                    + "\(added.bytes); \(bytes) are allowed. " + OwnerQuota.advice
            )
        }
    }

    private static let advice = "Submit it again once others are done, or cancel some."
}

/// What jobs of an owner come to.
package struct OwnerLoad: Sendable, Hashable {
    /// The number of their tasks, finished ones too.
    package var tasks: Int
    /// The bytes of their documents.
    package var bytes: Int64

    /// Makes a load.
    package init(tasks: Int = 0, bytes: Int64 = 0) {
        self.tasks = tasks
        self.bytes = bytes
    }

    /// Adds another load.
    package mutating func add(_ other: OwnerLoad) {
        tasks += other.tasks
        bytes += other.bytes
    }
}

extension NewJob {
    /// The bytes of the documents that are stored with the job.
    package var documentByteCount: Int64 { Int64(composition.count) + Int64(plan.count) }

    /// What the job comes to.
    package var load: OwnerLoad { OwnerLoad(tasks: tasks.count, bytes: documentByteCount) }
}
