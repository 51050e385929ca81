import Farm
import Foundation
import Logging
import ServiceLifecycle
import Storage
import WireProtocol

/// Puts finished movies into output folders, where no command line waits for them.
///
/// Nothing has to be remembered over a crash: a movie is due until the database knows that it lies at its place, and putting
/// it there once more changes nothing. So two coordinators may be at the same movie.
struct OutputDelivery: Service {
    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let folders: OutputFolders
    let hub: ChangeHub
    let logger: Logger

    /// The number of movies that are asked for at a time.
    private static let batch = 100
    /// The time after which a movie is tried again that could not be put at its place.
    private static let pauseMilliseconds: Int64 = 10_000

    func run() async throws {
        let names = folders.names
        await cancelWhenGracefulShutdown {
            for await _ in hub.changes() {
                do {
                    while try await round(names) == Self.batch {}
                } catch {
                    if Task.isCancelled { return }
                    logger.warning("movies cannot be delivered", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Delivers what is due now.
    /// - Returns: the number of movies that were due.
    private func round(_ names: [String]) async throws -> Int {
        let due = try await store.dueDeliveries(in: names, limit: Self.batch)
        for delivery in due {
            try Task.checkCancellation()
            try await note(await outcome(of: delivery), delivery)
        }
        return due.count
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

    private func note(_ outcome: DeliveryOutcome, _ due: DueDelivery) async throws {
        if case .failed(let reason, _) = outcome {
            logger.warning("movie not delivered", metadata: ["job": "\(due.job)", "reason": "\(reason)"])
        }
        try await store.note(outcome, of: due.job)
    }
}
