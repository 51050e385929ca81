import Farm
import Foundation
import Logging
import ServiceLifecycle
import Storage
import WireProtocol

/// Puts finished movies into output folders, where no command line waits for them.
///
/// Each movie is claimed by one coordinator at a time, which renews its claim while it copies: nobody puts a movie there a
/// second time after somebody took it away. Nothing else has to be remembered over a crash: a movie is due until the
/// database knows that it lies at its place, and putting it there once more changes nothing.
struct OutputDelivery: Service {
    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let folders: OutputFolders
    let hub: ChangeHub
    let clock: any Clock<Duration>
    let logger: Logger

    /// The time after which a movie is tried again that could not be put at its place.
    private static let pauseMilliseconds: Int64 = 10_000
    /// The time between two renewals of a claim: a third of what it lasts.
    private static let renewing: Duration = .milliseconds(DeliveryRecord.claimMilliseconds / 3)

    func run() async throws {
        let names = folders.names
        await cancelWhenGracefulShutdown {
            for await _ in hub.changes() {
                do {
                    while let claim = try await store.claimDeliveries(in: names, limit: 1).first {
                        try Task.checkCancellation()
                        try await deliver(claim)
                    }
                } catch {
                    logger.warnUnlessCancelled("movies cannot be delivered", error)
                }
            }
        }
    }

    /// Puts a movie at its place, and notes what came of it.
    private func deliver(_ claim: DueDelivery) async throws {
        let (outcome, held) = await withTaskGroup(
            of: DueDelivery.self,
            returning: (DeliveryOutcome, DueDelivery).self
        ) { group in
            group.addTask { await renewing(claim) }
            let outcome = await self.outcome(of: claim)
            group.cancelAll()
            return (outcome, await group.next() ?? claim)
        }
        if case .failed(let reason, _) = outcome {
            // What a shutdown broke off has not failed: its claim ends, and another coordinator delivers.
            try Task.checkCancellation()
            logger.warning("movie not delivered", metadata: ["job": "\(claim.job)", "reason": "\(reason)"])
        }
        try await store.note(outcome, of: held)
    }

    /// Renews a claim until the task is cancelled or the claim is lost.
    /// - Returns: the claim as it was last.
    private func renewing(_ claim: DueDelivery) async -> DueDelivery {
        var held = claim
        while (try? await clock.sleep(for: Self.renewing)) != nil {
            do {
                guard let renewed = try await store.renew(held) else { return held }
                held = renewed
            } catch {
                logger.warnUnlessCancelled("a delivery's claim cannot be renewed", error)
            }
        }
        return held
    }

    private func outcome(of due: DueDelivery) async -> DeliveryOutcome {
        do {
            guard let target = try? OutputTarget(due.target), let place = folders.place(target) else {
                throw OutputPlace.Refusal(description: "\(due.target) is in no output folder of this coordinator.")
            }
            let movie = try await artifacts.open(due.artifact)
            let how = try await readingWhole {
                try place.deliver(movie, replacing: due.replaces, for: due.job.description)
            }
            logger.info("movie delivered", metadata: ["job": "\(due.job)", "to": "\(due.target)", "how": "\(how)"])
            return .delivered
        } catch {
            let reason = (error as? StorageError)?.sentenceWithoutPaths ?? "\(error)"
            return .failed(reason, retryMilliseconds: Self.pauseMilliseconds)
        }
    }
}
