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
            return try PartShelf(root: root(stateFolder))
        } catch {
            let advice = "choose another with --state"
            guard !FileManager.default.fileExists(atPath: root(stateFolder)) || isFolder(root(stateFolder)) else {
                let sentence = "\(root(stateFolder)) is no folder, where the parts are kept"
                throw CommandFailure(.usage, "\(sentence); remove it, or \(advice).")
            }
            throw CommandFailure(.usage, "The state folder \(stateFolder) cannot be written; \(advice).")
        }
    }

    /// The shelf below a state folder; nil where no run has kept anything. Makes nothing.
    /// - Throws: ``CommandFailure`` when it cannot be read.
    static func existingShelf(stateFolder: String) throws -> PartShelf? {
        FileManager.default.fileExists(atPath: root(stateFolder)) ? try shelf(stateFolder: stateFolder) : nil
    }

    private static func root(_ stateFolder: String) -> String { stateFolder + "/parts" }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The most recently used parts, and what all come to; none where there is no shelf.
    static func list(_ shelf: PartShelf?, limit: Int) -> PartList {
        let entries = shelf?.list() ?? []
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
