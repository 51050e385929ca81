import CompositionModel
import Farm
import Logging
import ServiceLifecycle
import Storage
import Timing
import WireProtocol

/// Completes tasks that wait with parts that are there, once the bytes were read and found intact; of a part in a bucket
/// the service is asked, and its bytes are compared when they are used. A part that is gone or has rotted is rejected, and
/// its task is rendered.
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

    /// The number of parts that may fail in one look: a database or a bucket that is away fails with every one.
    private static let failuresPerLook = 3

    /// Takes what is offered now, part by part, so that nobody waits for more than one to be read. They come in any
    /// order, so that one which cannot be taken is not in the way of the others in every look.
    /// - Returns: whether anything came of it, so that there may be more.
    /// - Throws: the error of the last part, or the third error, after which no other part is tried; earlier ones are logged.
    private func round() async throws -> Bool {
        let offers = try await store.offers(limit: Self.batch)
        let groups = Dictionary(grouping: offers, by: \.part.artifact).values.shuffled()
        var (isOfUse, failures) = (false, 0)
        for (number, group) in groups.enumerated() {
            do {
                if try await take(group) { isOfUse = true }
            } catch {
                try Task.checkCancellation()
                failures += 1
                if failures == Self.failuresPerLook || number == groups.count - 1 { throw error }
                logger.warning("a part cannot be taken", metadata: ["error": "\(error)"])
            }
        }
        return isOfUse
    }

    /// Takes one artifact for the tasks that it was offered to.
    /// - Returns: whether a task took it, or it is no part any more, or not the one that was read.
    private func take(_ offers: [PartOffer]) async throws -> Bool {
        let artifact = offers[0].part.artifact
        // Whoever removes parts does not wait while it is read.
        guard let read = try await intact(artifact) else { return true }
        CrashPoint.reached("parts.verified")
        // Nothing is collected between finding the bytes and referring to them.
        let taken: [TaskID]? = try await artifacts.holding {
            guard try await artifacts.hasStill(read) else { return nil }
            return try await store.take(offers)
        }
        CrashPoint.reached("parts.taken")
        guard let taken, !taken.isEmpty else { return taken == nil }
        logger.info("parts taken", metadata: ["tasks": "\(taken.count)"])
        await shelved?.noteUses(offers.filter { taken.contains($0.task) }.map(\.part.name))
        return true
    }

    /// Reads a part. One that is gone or has rotted is rejected. One that cannot be read now is no part any more, and
    /// what was completed with it stays so: nothing is known against it.
    /// - Returns: nil for a part that cannot be taken.
    private func intact(_ artifact: ContentDigest) async throws -> ArtifactReader? {
        do {
            if let read = try await artifacts.readingPart(artifact) { return read }
            try await blocking { [folder = artifacts.folder] in try folder.disownUnreadable(artifact) }
            let sentence = "A part that was kept is gone or has rotted; it is rendered again."
            let failure = Failure(code: FarmFailure.artifactLost, message: sentence, isPermanent: false)
            try await store.reject([artifact], because: failure)
            logger.warning("a kept part is lost", metadata: ["artifact": "\(artifact)"])
        } catch StorageError.bucket(let sentence) {
            // A service that does not answer says nothing about its objects.
            throw StorageError.bucket(sentence)
        } catch let error as StorageError {
            try await blocking { [folder = artifacts.folder] in try folder.disownUnreadable(artifact) }
            try await store.forgetParts([artifact])
            logger.warning("a kept part cannot be read", metadata: ["artifact": "\(artifact)", "error": "\(error)"])
        }
        await shelved?.remove([artifact])
        return nil
    }
}
