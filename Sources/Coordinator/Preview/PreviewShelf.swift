import CompositionModel
import Storage

/// Keeps what was made to be looked at, up to a number of bytes, and sees to it that what many ask for at the same time is
/// made once.
///
/// The files lie in a scratch folder of the artifact store, which is made with the first of them and goes with the
/// process. What was not asked for the longest makes room.
actor PreviewShelf {
    /// The work on one item, and the number of requests that wait for it.
    private struct Work {
        let task: Task<PreviewItem, any Error>
        let number: Int
        var waiting: Int
    }

    private let artifacts: ArtifactStore
    private let limit: Int64
    private let mostItems: Int
    private var folder: ScratchFolder?
    /// The items with the time of their last use, in uses.
    private var items: [ContentDigest: (item: PreviewItem, used: Int)] = [:]
    private var byteCount: Int64 = 0
    private var uses = 0
    private var underWay: [ContentDigest: Work] = [:]

    /// - Parameters:
    ///   - limit: the most bytes of all files together.
    ///   - mostItems: the most items.
    init(artifacts: ArtifactStore, limit: Int64, mostItems: Int = 4096) {
        (self.artifacts, self.limit, self.mostItems) = (artifacts, limit, mostItems)
    }

    /// The item of a key, which is made if it is not there.
    /// - Parameter make: writes the file of the given path, or none. It is cancelled once nobody waits for the item any
    ///   more.
    /// - Throws: what `make` throws; ``StorageError``; `CancellationError`.
    func item(
        _ key: ContentDigest,
        _ make: @escaping @Sendable (_ path: String) async throws -> PreviewItem.Content
    ) async throws -> PreviewItem {
        uses += 1
        if let kept = items[key]?.item {
            items[key]?.used = uses
            return kept
        }
        let work = try join(key, make)
        return try await withTaskCancellationHandler {
            try await work.task.value
        } onCancel: {
            Task { await self.giveUp(key, work.number) }
        }
    }

    /// The file of an item.
    /// - Throws: ``StorageError``, of which ``StorageError/missing(_:)`` when it has made room meanwhile.
    func file(of item: PreviewItem) async throws -> StoredFile {
        guard let folder else { throw StorageError.missing("\(item.key)") }
        return try await blocking { try folder.openFile(item.key.hex, as: item.key) }
    }

    /// Waits with others for the item, whose work begins if nobody did.
    private func join(
        _ key: ContentDigest,
        _ make: @escaping @Sendable (_ path: String) async throws -> PreviewItem.Content
    ) throws -> Work {
        if var work = underWay[key] {
            work.waiting += 1
            underWay[key] = work
            return work
        }
        let (folder, number) = (try place(), uses)
        let task = Task {
            defer { if underWay[key]?.number == number { underWay[key] = nil } }
            let scratch = try await blocking { [artifacts] in try artifacts.makeScratchFolder() }
            // The folder goes with its last reference.
            defer { withExtendedLifetime(scratch) {} }
            let path = scratch.file("preview")
            let content = try await make(path)
            let byteCount = try await blocking { try folder.take(path, as: key.hex) }
            let item = PreviewItem(key: key, content: content, byteCount: byteCount)
            keep(item)
            return item
        }
        let work = Work(task: task, number: number, waiting: 1)
        underWay[key] = work
        return work
    }

    private func place() throws -> ScratchFolder {
        if let folder, folder.isThere { return folder }
        let made = try artifacts.makeScratchFolder()
        (folder, items, byteCount) = (made, [:], 0)
        return made
    }

    /// A request has gone. The work ends when it was the last.
    private func giveUp(_ key: ContentDigest, _ number: Int) {
        guard var work = underWay[key], work.number == number else { return }
        work.waiting -= 1
        underWay[key] = work.waiting > 0 ? work : nil
        if work.waiting <= 0 { work.task.cancel() }
    }

    private func keep(_ item: PreviewItem) {
        guard items[item.key] == nil else { return }
        items[item.key] = (item, uses)
        byteCount += item.byteCount
        while byteCount > limit || items.count > mostItems, items.count > 1,
            let oldest = items.filter({ $0.key != item.key }).min(by: { $0.value.used < $1.value.used })?.value.item
        {
            items[oldest.key] = nil
            byteCount -= oldest.byteCount
            folder?.remove(oldest.key.hex)
        }
    }
}
