import CompositionModel
import Farm
import Foundation
import Logging
import ObjectStorage
import ServiceLifecycle

/// Removes objects of the farm's bucket that nothing refers to, and once a day those that no row names: what a process sent
/// that ended before it could note it. Several coordinators may be at it, at the same objects too.
struct BucketCollector: Service {
    /// The number of objects that the database is asked about at a time.
    private static let batch = 500
    /// The age from which an object that no row names is taken for abandoned.
    private static let abandoned: TimeInterval = 86_400

    let bucket: BucketArtifacts
    /// The time between two rounds.
    let interval: Duration
    /// The time without a byte after which a client's upload is forgotten.
    let uploadIdle: Duration
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var rounds = 0
            // A day has so many rounds.
            let day = max(1, Int(Duration.seconds(86_400) / interval))
            while (try? await clock.sleep(for: interval)) != nil {
                await round(removingAbandoned: rounds % day == 0)
                rounds += 1
            }
        }
    }

    private func round(removingAbandoned: Bool) async {
        do {
            var last: ContentDigest?
            var forgotten = 0
            while true {
                let settled = try await bucket.ledger.settledObjects(after: last, limit: Self.batch)
                forgotten += try await bucket.ledger.forgetUnreferenced(settled)
                guard settled.count == Self.batch else { break }
                last = settled.last
            }
            if let uploads = bucket.ledger as? any BucketUploadLedger {
                try await uploads.forgetUploads(untouchedFor: uploadIdle.components.seconds * 1000)
                for upload in try await uploads.unwantedUploads(limit: Self.batch) {
                    try await bucket.abort(upload)
                    try await uploads.noteAborted(upload)
                }
            }
            if removingAbandoned { try await removeAbandoned() }
            try await removeUnwanted()
            if forgotten > 0 { logger.info("unused artifacts removed", metadata: ["count": "\(forgotten)"]) }
        } catch {
            logger.warnUnlessCancelled("artifacts cannot be collected", error)
        }
    }

    /// Removes what the database has forgotten. A key that cannot be removed is tried in the next round, and the others go.
    private func removeUnwanted() async throws {
        var last: String?
        while true {
            let keys = try await bucket.ledger.unwantedObjects(after: last, limit: Self.batch)
            var removed: [String] = []
            for key in keys {
                do throws(BucketError) {
                    try await bucket.bucket.delete(key)
                    removed.append(key)
                } catch {
                    try Task.checkCancellation()
                    logger.warning("an object cannot be removed", metadata: ["object": "\(key)", "error": "\(error)"])
                }
            }
            try await bucket.ledger.noteRemoved(removed)
            guard keys.count == Self.batch else { return }
            last = keys.last
        }
    }

    private func removeAbandoned() async throws {
        let before = bucket.now().addingTimeInterval(-Self.abandoned)
        var page: String?
        repeat {
            let listed = try await bucket.bucket.list(prefix: bucket.keys.all, page: page)
            let old = listed.objects.map(\.key).filter { bucket.keys.made($0).map { $0 < before } ?? false }
            for key in try await bucket.ledger.unknownObjects(old) {
                logger.info("an abandoned object is removed", metadata: ["object": "\(key)"])
                try await bucket.bucket.delete(key)
            }
            page = listed.next
        } while page != nil
        let begun = try await bucket.bucket.uploads(below: bucket.keys.all)
        let old = begun.filter { bucket.keys.made($0.key).map { $0 < before } ?? false }
        let unknown = Set(try await bucket.ledger.unknownObjects(old.map(\.key)))
        for upload in old where unknown.contains(upload.key) { try await bucket.bucket.abort(upload) }
    }
}
