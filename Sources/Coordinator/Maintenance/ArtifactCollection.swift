import CompositionModel
import Farm
import Foundation
import Storage

/// Removes stored bytes that the database does not refer to. While it asks and removes files of a folder, nobody can make
/// the database refer to them anew (``ArtifactStore/hold()``). Objects of a bucket are forgotten, unless somebody was told
/// a while ago that they are here, and ``BucketCollector`` removes them.
struct ArtifactCollection: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let clock: any Clock<Duration>

    /// Removes those of `digests` that nothing refers to and that have not changed for `seconds`.
    /// - Returns: the number of artifacts removed; 0 also when the store was held by others all the time.
    /// - Throws: ``FarmStoreError`` or ``StorageError`` when the database or the disk does not answer.
    func collect(_ digests: [ContentDigest], unchangedFor seconds: Int) async throws -> Int {
        if let bucket = artifacts.bucket { return try await bucket.ledger.forgetUnreferenced(digests) }
        // Most digests are referred to, and that is asked without holding anybody up.
        let candidates = try await store.unreferenced(digests)
        guard !candidates.isEmpty, let hold = try await exclusiveHold() else { return 0 }
        let digests = try await store.unreferenced(candidates)
        return try await blocking { [folder = artifacts.folder] in
            try folder.collect(digests, unchangedFor: seconds, hold)
        }
    }

    /// Removes parts from the database and what they alone referred to from the disk. A worker that has just uploaded the
    /// same bytes and not yet completed with them uploads them again.
    /// - Returns: the parts; nil when the store was held by others all the time, and nothing was removed.
    /// - Throws: ``FarmStoreError`` or ``StorageError`` when the database or the disk does not answer.
    func removeParts(_ selection: PartSelection) async throws -> [PartRecord]? {
        if let bucket = artifacts.bucket {
            let removed = try await store.removeParts(selection)
            _ = try await bucket.ledger.forgetUnreferenced(removed.map(\.artifact))
            return removed
        }
        guard let hold = try await exclusiveHold() else { return nil }
        let removed = try await store.removeParts(selection)
        let digests = try await store.unreferenced(removed.map(\.artifact))
        _ = try await blocking { [folder = artifacts.folder] in try folder.collect(digests, unchangedFor: 0, hold) }
        return removed
    }

    /// Runs `removal`, which makes the database forget, and removes from the disk what nothing refers to then.
    /// - Parameter removal: returns its result and the digests that may be of no use any more.
    /// - Returns: nil when the store was held by others all the time, and `removal` was not run.
    /// - Throws: ``FarmStoreError`` or ``StorageError`` when the database or the disk does not answer.
    func removing<Value: Sendable>(
        _ removal: () async throws -> (Value, [ContentDigest])
    ) async throws -> Value? {
        if let bucket = artifacts.bucket {
            let (value, gone) = try await removal()
            _ = try await bucket.ledger.forgetUnreferenced(gone)
            return value
        }
        guard let hold = try await exclusiveHold() else { return nil }
        let (value, gone) = try await removal()
        let digests = try await store.unreferenced(gone)
        _ = try await blocking { [folder = artifacts.folder] in try folder.collect(digests, unchangedFor: 0, hold) }
        return value
    }

    /// Undoes `publication` unless somebody refers to the bytes or has sent them as well. What fails is left to the
    /// collector, and so is an object of a bucket.
    func takeBack(_ publication: Publication) async {
        await shieldedFromCancellation(waitingAtMost: .seconds(5), on: clock) {
            guard let hold = try await exclusiveHold() else { return }
            guard try await !store.unreferenced([publication.digest]).isEmpty else { return }
            _ = try await blocking { [folder = artifacts.folder] in try folder.takeBack(publication, hold) }
        }
    }

    /// Takes the collector's hold, for which it tries for two seconds of real time: other processes have holds too, and one
    /// lasts as long as a part is read.
    private func exclusiveHold() async throws -> ArtifactHold? {
        for _ in 0..<100 {
            if let hold = try await blocking({ [folder = artifacts.folder] in try folder.holdForCollecting() }) {
                return hold
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
