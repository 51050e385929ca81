import Farm
import Synchronization

/// What the unfinished jobs of owners came to when the database was last asked, with what this coordinator has stored since.
/// The database adds up all of them, so that each of the 10,000 rows of a manifest would take it longer than the one before.
///
/// Jobs that ended since still count here, some that were stored count twice, and those that another coordinator stored do
/// not count yet. So it admits what is well within the quota; nothing is refused by it.
final class RecentLoads: Sendable {
    private struct Entry {
        let load: OwnerLoad
        let read: FarmTime
        /// What was stored since the reading, or in the second before: its transaction may not have ended then.
        var added: [(load: OwnerLoad, at: FarmTime)] = []
    }

    /// The time for which a reading counts, and for which a transaction may take.
    static let lifetimeMilliseconds: Int64 = 1000

    private let entries = Mutex<[String: Entry]>([:])

    /// What the owner's unfinished jobs came to; nil when that was read too long ago.
    func load(of owner: String, at now: FarmTime) -> OwnerLoad? {
        entries.withLock { entries in
            guard let entry = entries[owner], Self.counts(entry.read, at: now) else { return nil }
            var load = entry.load
            for added in entry.added { load.add(added.load) }
            return load
        }
    }

    /// Notes what was read from the database.
    func note(_ load: OwnerLoad, of owner: String, at now: FarmTime) {
        entries.withLock { entries in
            let added = entries[owner]?.added.filter { Self.counts($0.at, at: now) } ?? []
            // What is too old is never asked for again.
            entries = entries.filter { Self.counts($0.value.read, at: now) }
            entries[owner] = Entry(load: load, read: now, added: added)
        }
    }

    /// Counts jobs that are being stored.
    func add(_ load: OwnerLoad, of owner: String, at now: FarmTime) {
        entries.withLock { $0[owner]?.added.append((load, now)) }
    }

    /// A clock that was set back makes no instant younger.
    private static func counts(_ instant: FarmTime, at now: FarmTime) -> Bool {
        (0..<lifetimeMilliseconds).contains(now.milliseconds - instant.milliseconds)
    }
}
