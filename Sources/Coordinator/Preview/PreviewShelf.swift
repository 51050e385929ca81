import CompositionModel
import Storage
import Timing
import WireProtocol

/// Keeps what was made to be looked at, up to a number of bytes, and sees to it that what many ask for at the same time is
/// made once.
///
/// The files lie in a scratch folder of the artifact store, which is made with the first of them and goes with the
/// process. What was not asked for the longest makes room. What could not be made is not tried again for a while.
actor PreviewShelf {
    typealias Make = @Sendable (_ path: String) async throws -> PreviewItem.Content

    /// The work on one item, and the number of requests that wait for it.
    private struct Work {
        let task: Task<PreviewItem, any Error>
        let number: Int
        var waiting: Int
    }

    /// Why an item could not be made, and since when that is known.
    private struct Refusal {
        let problem: Problem
        let age: Stopwatch
    }

    private let artifacts: ArtifactStore
    private let turns: PreviewTurns
    private let owners: OwnerCounter
    private let clock: any Clock<Duration>
    private let limit: Int64
    private let mostItems: Int
    private var folder: ScratchFolder?
    /// The items with the time of their last use, in uses.
    private var items: [ContentDigest: (item: PreviewItem, used: Int)] = [:]
    private var refusals = RecentValues<ContentDigest, Refusal>(limit: 4096)
    private var byteCount: Int64 = 0
    private var uses = 0
    private var underWay: [ContentDigest: Work] = [:]

    /// The time for which an item that could not be made is not tried again.
    private static let patience: Duration = .seconds(60)

    /// - Parameters:
    ///   - turns: lets a few items be made at a time.
    ///   - owners: limits the items that are made for one owner, or wait to be made.
    ///   - clock: the clock by which failures are remembered for a minute.
    ///   - limit: the most bytes of all files together.
    ///   - mostItems: the most items.
    init(
        artifacts: ArtifactStore,
        turns: PreviewTurns,
        owners: OwnerCounter,
        clock: any Clock<Duration>,
        limit: Int64,
        mostItems: Int = 4096
    ) {
        self.artifacts = artifacts
        self.turns = turns
        self.owners = owners
        self.clock = clock
        (self.limit, self.mostItems) = (limit, mostItems)
    }

    /// The item of a key, which is made if it is not there.
    /// - Parameters:
    ///   - owner: who asks.
    ///   - make: writes the file of the given path, or none, once it is the owner's turn. It is cancelled once nobody waits
    ///     for the item any more.
    /// - Throws: what `make` throws; ``Problem`` `too_many_previews`; ``StorageError``; `CancellationError`.
    func item(_ key: ContentDigest, for owner: String, _ make: @escaping Make) async throws -> PreviewItem {
        uses += 1
        if let kept = items[key]?.item {
            items[key]?.used = uses
            return kept
        }
        if let refusal = refusals.value(of: key) {
            if refusal.age.elapsed < Self.patience { throw refusal.problem }
            refusals.remove(key)
        }
        let work = try join(key, owner, make)
        return try await withTaskCancellationHandler {
            try await work.task.value
        } onCancel: {
            Task { await self.giveUp(key, work.number) }
        }
    }

    /// The item of a key and its file, which is made again if it was removed; no file for an item that has none.
    /// - Throws: as ``item(_:for:_:)``.
    func file(
        _ key: ContentDigest,
        for owner: String,
        _ make: @escaping Make
    ) async throws -> (item: PreviewItem, file: StoredFile?) {
        let item = try await item(key, for: owner, make)
        if let file = try await file(of: item) { return (item, file) }
        if case .notPlayed = item.content { return (item, nil) }
        forget(item)
        let again = try await self.item(key, for: owner, make)
        return (again, try await file(of: again))
    }

    /// Whether all these items are there.
    func keeps(_ keys: [ContentDigest]) -> Bool { keys.allSatisfy { items[$0] != nil } }

    /// The file of an item that was made before; nil when it is not there.
    /// - Throws: ``StorageError``.
    func kept(_ key: ContentDigest) async throws -> StoredFile? {
        uses += 1
        guard let item = items[key]?.item else { return nil }
        items[key]?.used = uses
        return try await file(of: item)
    }

    /// - Returns: nil when the file is not there.
    /// - Throws: ``StorageError``.
    private func file(of item: PreviewItem) async throws -> StoredFile? {
        guard let folder else { return nil }
        do {
            return try await blocking { try folder.openFile(item.key.hex, as: item.key) }
        } catch StorageError.missing {
            return nil
        }
    }

    /// Waits with others for the item, whose work begins if nobody did.
    private func join(_ key: ContentDigest, _ owner: String, _ make: @escaping Make) throws -> Work {
        if var work = underWay[key] {
            work.waiting += 1
            underWay[key] = work
            return work
        }
        guard owners.enter(owner) else { throw Problem.tooManyPreviews(owner, limit: owners.limit) }
        let number = uses
        let task = Task {
            defer {
                owners.leave(owner)
                if underWay[key]?.number == number { underWay[key] = nil }
            }
            do {
                return try await turns.run(for: owner) { try await self.work(key, make) }
            } catch let problem as Problem where problem.code == Problem.previewFailed {
                refusals.keep(Refusal(problem: problem, age: Stopwatch(on: clock)), for: key, cost: 1)
                throw problem
            }
        }
        let work = Work(task: task, number: number, waiting: 1)
        underWay[key] = work
        return work
    }

    private func work(_ key: ContentDigest, _ make: Make) async throws -> PreviewItem {
        let scratch = try await blocking { [artifacts] in try artifacts.makeScratchFolder() }
        // The folder goes with its last reference.
        defer { withExtendedLifetime(scratch) {} }
        let path = scratch.file("preview")
        let content = try await make(path)
        let folder = try place()
        let byteCount = try await blocking { try folder.take(path, as: key.hex) }
        let item = PreviewItem(key: key, content: content, byteCount: byteCount)
        if folder === self.folder { keep(item) }
        return item
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
            forget(oldest)
            folder?.remove(oldest.key.hex)
        }
    }

    private func forget(_ item: PreviewItem) {
        guard items.removeValue(forKey: item.key) != nil else { return }
        byteCount -= item.byteCount
    }
}
