import WireProtocol

/// The most that the ended jobs of one owner leave in the farm's database, so that nobody fills it by submitting and
/// cancelling. Of jobs beyond it the row stays, with their movie; their tasks and documents go, of cancelled jobs first
/// and then of those that ended first.
package struct HistoryQuota: Sendable, Hashable {
    /// The number of tasks.
    package var tasks = 1_000_000
    /// The bytes of documents: compositions and plans.
    package var bytes: Int64 = 4 << 30

    /// Makes the quota of every owner; tests change numbers of it.
    package init() {}

    /// Whether an owner may keep jobs that come to `load`.
    package func keeps(_ load: OwnerLoad) -> Bool { load.tasks <= tasks && load.bytes <= bytes }

    /// Admits a further job of an owner whose ended jobs come to `load`.
    /// - Throws: ``FarmStoreError/overQuota(_:)`` when it is twice as much as is kept: jobs end faster than they are
    ///   removed.
    package func admit(_ owner: String, having load: OwnerLoad) throws(FarmStoreError) {
        guard load.tasks <= 2 * tasks, load.bytes <= 2 * bytes else {
            throw .overQuota(
                "The ended jobs of “\(owner)” still have \(load.tasks) tasks and \(load.bytes) bytes of plans in the "
                    + "database, which are being removed; submit it again in a minute."
            )
        }
    }
}

extension JobRecord {
    /// Whether the tasks and documents of the job may be removed once it is old: it is final, and its tasks are not what
    /// it was to make. A job of one stage makes stills or a measurement, and each of its tasks has a result of its own.
    package var isPrunable: Bool { state.isFinal && (state == .cancelled || remaining.count > 1) }

    /// Whether of two ended jobs of one owner `left` is kept longer.
    static func isKeptLonger(_ left: JobRecord, than right: JobRecord) -> Bool {
        if (left.state == .cancelled) != (right.state == .cancelled) { return right.state == .cancelled }
        let (ended, other) = (left.finished?.milliseconds ?? 0, right.finished?.milliseconds ?? 0)
        return ended == other ? left.id > right.id : ended > other
    }
}
