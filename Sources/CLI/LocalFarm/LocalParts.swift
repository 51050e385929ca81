import Coordinator
import Foundation
import Storage
import WireProtocol

/// The parts that the runs of `cutfarm render` on this machine have in common.
enum LocalParts {
    /// The shelf below a state folder.
    /// - Throws: ``CommandFailure`` when it cannot be made.
    static func shelf(stateFolder: String) throws -> PartShelf {
        do {
            return try PartShelf(root: stateFolder + "/parts")
        } catch {
            let advice = "choose another with --state"
            throw CommandFailure(.usage, "The state folder \(stateFolder) cannot be written; \(advice).")
        }
    }

    /// The most recently used parts, and what all come to.
    static func list(_ shelf: PartShelf, limit: Int) -> PartList {
        let entries = shelf.list()
        let parts = views(entries)
        let totals = PartList.Totals(
            count: parts.count,
            byteCount: PartShelf.byteCount(of: entries),
            uses: parts.reduce(0) { $0 + $1.uses },
            savedMilliseconds: Int64(
                clamping: parts.reduce(Int128(0)) { $0 + Int128($1.uses) * Int128($1.cpuMilliseconds) }
            )
        )
        return PartList(totals: totals, parts: Array(parts.prefix(limit)))
    }

    /// The entries of a shelf as clients see parts.
    static func views(_ entries: [PartShelf.Entry]) -> [PartView] { entries.compactMap { PartView($0) } }
}

extension PartShelf {
    /// Removes the least recently used parts beyond `limit`, and where the disk is nearly full more of them.
    /// - Throws: `StorageError` when the shelf cannot be locked.
    func prune(to limit: Int64, onDiskOf folder: String) throws {
        try prune(to: limit)
        try makeRoom(in: DiskSpace.of(folder))
    }
}
