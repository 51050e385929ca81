import CompositionModel
import Farm
import Logging
import ServiceLifecycle
import Storage

/// Completes tasks that wait with parts that are there, once the bytes were read and found intact. A part that is gone or
/// has rotted is rejected, and its task is rendered.
///
/// Nothing has to be remembered over a crash: the tasks are offered until they are taken.
struct PartTaker: Service {
    /// The number of tasks of one transaction.
    private static let batch = 100

    let store: any FarmStore
    let artifacts: ArtifactStore
    let hub: ChangeHub
    /// The parts that this farm has in common with others; nil for a farm that has none.
    let shelved: ShelvedParts?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in hub.changes() {
                do {
                    while try await round() {}
                } catch {
                    if Task.isCancelled { return }
                    logger.warning("parts cannot be taken", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Takes what is offered now.
    /// - Returns: whether there may be more.
    private func round() async throws -> Bool {
        let offers = try await store.offers(limit: Self.batch)
        guard !offers.isEmpty else { return false }
        // Nothing is collected between finding the bytes and referring to them.
        try await artifacts.holding {
            var intact: Set<ContentDigest> = []
            for artifact in Set(offers.map(\.part.artifact)).sorted(by: { $0.hex < $1.hex }) {
                if try await isIntact(artifact) { intact.insert(artifact) }
            }
            CrashPoint.reached("parts.verified")
            let taken = try await store.take(offers.filter { intact.contains($0.part.artifact) })
            CrashPoint.reached("parts.taken")
            if !taken.isEmpty { logger.info("parts taken", metadata: ["tasks": "\(taken.count)"]) }
        }
        return true
    }

    /// Reads a part. One that is of no use is rejected.
    private func isIntact(_ artifact: ContentDigest) async throws -> Bool {
        do {
            try await readingWhole { [artifacts] in try artifacts.verify(artifacts.open(artifact)) }
            return true
        } catch let error as StorageError {
            let sentence = "A part that was kept is gone or has rotted; it is rendered again."
            let failure = Failure(code: FarmFailure.artifactLost, message: sentence, isPermanent: false)
            try await store.reject([artifact], because: failure)
            await shelved?.remove(artifact)
            logger.warning("a kept part is lost", metadata: ["artifact": "\(artifact)", "error": "\(error)"])
            return false
        }
    }
}
