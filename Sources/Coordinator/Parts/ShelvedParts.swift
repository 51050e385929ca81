import CompositionModel
import Farm
import Foundation
package import Storage
package import WireProtocol

/// The parts that a farm without a database has in common with the runs before and after it (``PartShelf``).
struct ShelvedParts: Sendable {
    let shelf: PartShelf
    let artifacts: ArtifactStore
    let store: any FarmStore

    /// Brings in the parts that tasks of `job` can take. What cannot be read is rendered.
    /// - Throws: ``FarmStoreError``.
    func bring(for job: NewJob) async throws {
        guard let versions = job.versions else { return }
        let names = Set(job.tasks.compactMap(\.key)).map { PartName(key: $0, versions: versions) }
        let parts = try await blocking { [shelf, artifacts] in
            names.compactMap { name -> PartRecord? in
                guard let about = try? shelf.lend(name.shelfName, to: artifacts) else { return nil }
                return try? JSONDecoder().decode(PartRecord.self, from: about)
            }
        }
        for part in parts where names.contains(part.name) { try await store.putPart(part) }
    }

    /// Keeps the part that an attempt has just made, if its task makes one. A disk that is full keeps nothing.
    func keep(madeBy attempt: AttemptID, versions: RenderVersions) async {
        guard let key = try? await store.task(of: attempt)?.key,
            let part = try? await store.part(PartName(key: key, versions: versions)),
            let about = try? JSONEncoder().encode(part)
        else { return }
        try? await blocking { [shelf, artifacts] in
            try shelf.put(part.artifact, of: artifacts, as: part.name.shelfName, about: about)
        }
    }

    /// Removes parts that nobody uses, the least recently used first, where the disk has no room for what is to be written.
    func makeRoom(for byteCount: Int64) async {
        _ = try? await blocking { [shelf, artifacts] in
            try shelf.makeRoom(in: DiskSpace.of(artifacts.root), for: byteCount)
        }
    }

    /// Removes half of the parts, because a disk was full: nobody knows how much a task lacks.
    /// - Returns: whether that made any room.
    func giveWay() async -> Bool {
        let removed = try? await blocking { [shelf] in
            try shelf.makeRoom(for: max(1, PartShelf.byteCount(of: shelf.list()) / 2))
        }
        return removed?.isEmpty == false
    }

    /// Notes that tasks took parts.
    /// - Parameter names: the name of each task's part.
    func noteUses(_ names: [PartName]) async {
        let counts = Dictionary(grouping: names.map(\.shelfName)) { $0 }.mapValues(\.count)
        try? await blocking { [shelf] in try shelf.noteUses(counts) }
    }

    /// Removes bytes that have rotted, cannot be read, or are no use: the next run would only take them again.
    func remove(_ artifacts: [ContentDigest]) async {
        try? await blocking { [shelf] in try shelf.remove(Set(artifacts)) }
    }
}

extension PartName {
    /// The name of the part's entry.
    var shelfName: String { ContentDigest(of: Data("\(key)\n\(versions.text)".utf8)).hex }
}

extension PartView {
    /// A part on a shelf as clients see it; nil for an entry that is no part.
    package init?(_ entry: PartShelf.Entry) {
        guard var part = try? JSONDecoder().decode(PartRecord.self, from: entry.about) else { return nil }
        part.uses = entry.uses
        part.used = FarmTime(milliseconds: Int64(entry.used.timeIntervalSince1970 * 1000))
        self = part.view
    }
}
