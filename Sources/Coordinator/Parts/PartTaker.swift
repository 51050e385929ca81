import CompositionModel
import Farm
import Logging
import ServiceLifecycle
import Storage
import Timing

/// Completes tasks that wait with parts that are there, once the bytes were read and found intact. A part that is gone
/// or has rotted is rejected, and its task is rendered.
///
/// Nothing has to be remembered over a crash: the tasks are offered until they are taken.
struct PartTaker: Service {
    /// The number of tasks that are asked for at a time.
    private static let batch = 500
    /// After a look that found nothing comes a rest of so many times its length, and of ``longestRest`` at most; after one
    /// that failed the longest.
    private static let restsPerLook = 9
    private static let longestRest: Duration = .seconds(1)

    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let hub: ChangeHub
    /// The parts that this farm has in common with others; nil for a farm that has none.
    let shelved: ShelvedParts?
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in hub.changes() {
                do {
                    try await takeAll()
                } catch {
                    logger.warnUnlessCancelled("parts cannot be taken", error)
                    try? await clock.sleep(for: Self.longestRest)
                }
            }
        }
    }

    /// Takes whatever is offered, and then rests: a look takes longer with the length of the queue, and a busy farm changes
    /// hundreds of times a second. What could be taken waits for the end of the rest; nobody renders it meanwhile.
    private func takeAll() async throws {
        var isOfUse = true
        var look = Duration.zero
        while isOfUse {
            let stopwatch = Stopwatch(on: clock)
            isOfUse = try await round()
            look = stopwatch.elapsed
        }
        try await clock.sleep(for: min(Self.longestRest, look * Self.restsPerLook))
    }

    /// Takes what is offered now, part by part, so that nobody waits for more than one to be read.
    /// - Returns: whether anything came of it, so that there may be more.
    private func round() async throws -> Bool {
        let offers = try await store.offers(limit: Self.batch)
        var groups: [[PartOffer]] = []
        for offer in offers {
            if let place = groups.firstIndex(where: { $0[0].part.artifact == offer.part.artifact }) {
                groups[place].append(offer)
            } else {
                groups.append([offer])
            }
        }
        var isOfUse = false
        for group in groups where try await take(group) { isOfUse = true }
        return isOfUse
    }

    /// Takes one artifact for the tasks that it was offered to.
    /// - Returns: whether a task took it, or it is no part any more.
    private func take(_ offers: [PartOffer]) async throws -> Bool {
        let artifact = offers[0].part.artifact
        // Nothing is collected between finding the bytes and referring to them.
        return try await artifacts.holding {
            guard try await isIntact(artifact) else { return true }
            CrashPoint.reached("parts.verified")
            let taken = try await store.take(offers)
            CrashPoint.reached("parts.taken")
            if !taken.isEmpty { logger.info("parts taken", metadata: ["tasks": "\(taken.count)"]) }
            return !taken.isEmpty
        }
    }

    /// Reads a part. One that is gone or has rotted is rejected. One that cannot be read now is no part any more, and
    /// what was completed with it stays so: nothing is known against it.
    private func isIntact(_ artifact: ContentDigest) async throws -> Bool {
        do {
            if try await artifacts.canBeTaken(artifact) { return true }
            try await blocking { [folder = artifacts.folder] in try folder.disownUnreadable(artifact) }
            let sentence = "A part that was kept is gone or has rotted; it is rendered again."
            let failure = Failure(code: FarmFailure.artifactLost, message: sentence, isPermanent: false)
            try await store.reject([artifact], because: failure)
            await shelved?.remove(artifact)
            logger.warning("a kept part is lost", metadata: ["artifact": "\(artifact)"])
        } catch StorageError.bucket(let sentence) {
            // A service that does not answer says nothing about its objects.
            throw StorageError.bucket(sentence)
        } catch let error as StorageError {
            try await blocking { [folder = artifacts.folder] in try folder.disownUnreadable(artifact) }
            try await store.forgetParts([artifact])
            logger.warning("a kept part cannot be read", metadata: ["artifact": "\(artifact)", "error": "\(error)"])
        }
        return false
    }
}
