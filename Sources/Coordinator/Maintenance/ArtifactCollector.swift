import Farm
import Logging
import ServiceLifecycle
import Storage

/// Looks through the whole artifact store now and then and removes what nothing refers to: the parts of jobs that
/// ended, uploads whose attempt was lost. Finished movies and assets stay.
struct ArtifactCollector: Service {
    /// The number of digests that the database is asked about at a time.
    private static let batch = 500

    let collection: ArtifactCollection
    /// The time without a change before which bytes are left alone: an upload and what refers to it are some time
    /// apart.
    let grace: Duration
    /// The time between two rounds.
    let interval: Duration
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await clock.sleep(for: interval)) != nil { await round() }
        }
    }

    private func round() async {
        do {
            var removed = 0
            for shelf in try await blocking({ [folder = collection.artifacts.folder] in folder.shelves() }) {
                removed += try await collect(shelf)
            }
            _ = try await blocking { [folder = collection.artifacts.folder] in folder.forgetIdentities() }
            if removed > 0 { logger.info("unused artifacts removed", metadata: ["count": "\(removed)"]) }
        } catch {
            logger.warnUnlessCancelled("artifacts cannot be collected", error)
        }
    }

    private func collect(_ shelf: String) async throws -> Int {
        let seconds = Int(grace.components.seconds)
        let settled = try await blocking { [folder = collection.artifacts.folder] in
            folder.settled(in: shelf, for: seconds)
        }
        var removed = 0
        for start in stride(from: 0, to: settled.count, by: Self.batch) {
            let batch = Array(settled[start..<min(start + Self.batch, settled.count)])
            removed += try await collection.collect(batch, unchangedFor: seconds)
        }
        return removed
    }
}
