import Farm
import Foundation
import Logging
import ServiceLifecycle
import Storage
import Timing
import WireProtocol

/// Puts finished movies into output folders, where no command line waits for them.
///
/// Each output folder has a lane and a thread of its own: one whose file system hangs holds up no movie of another.
/// Each movie is claimed by one coordinator at a time, which renews its claim while the movie makes progress: nobody
/// puts a movie there a second time after somebody took it away. Nothing else has to be remembered over a crash: a
/// movie is due until the database knows that it lies at its place, and putting it there once more changes nothing.
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
    /// The renewals in a row without progress after which a claim is given up: 30 s, since a disk that has to start up,
    /// or a server that is restarted, may take that long.
    private static let mostIdleRenewals = 6

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for folder in folders.names { group.addTask { await deliver(in: folder) } }
            }
        }
    }

    /// Delivers the movies of one folder, one after the other. While a call on the folder hangs, nothing is claimed for
    /// it.
    private func deliver(in folder: String) async {
        let thread = FolderThread()
        for await _ in hub.changes() {
            do {
                while let hold = try await claim(in: folder) {
                    try Task.checkCancellation()
                    try await deliver(hold, on: thread)
                }
            } catch {
                logger.warnUnlessCancelled("movies cannot be delivered", error)
            }
        }
    }

    private func claim(in folder: String) async throws -> DeliveryHold? {
        let age = Stopwatch(on: clock)
        guard let claim = try await store.claimDeliveries(in: [folder], limit: 1).first else { return nil }
        return DeliveryHold(claim, in: folder, since: age)
    }

    /// Puts a movie at its place, and notes what came of it.
    private func deliver(_ hold: DeliveryHold, on thread: FolderThread) async throws {
        guard let call = await keeping(hold, while: { await begin(hold, on: thread) }) else {
            hold.giveUp()
            return try Task.checkCancellation()
        }
        let outcome = await keeping(hold) { await call.value() } ?? nil
        if outcome == nil { hold.giveUp() }
        // What a shutdown broke off has not failed: its claim ends, and another coordinator delivers.
        if outcome != .delivered { try Task.checkCancellation() }
        if let outcome {
            try await note(outcome, of: hold)
        } else {
            await abandon(hold, call)
        }
    }

    private func note(_ outcome: DeliveryOutcome, of hold: DeliveryHold) async throws {
        if case .failed(let reason, _) = outcome {
            logger.warning("movie not delivered", metadata: ["job": "\(hold.claim.job)", "reason": "\(reason)"])
        }
        try await store.note(outcome, of: hold.claim)
    }

    /// Leaves a movie to others whose folder hangs or whose claim is lost, and waits until the folder's thread is free.
    /// A movie that had got its name before the call hung lies there.
    private func abandon(_ hold: DeliveryHold, _ call: PendingCall<DeliveryOutcome>) async {
        do {
            if hold.isStalled {
                let reason = "The output folder “\(hold.folder)” does not answer; the movie is put there once it does."
                try await note(.failed(reason, retryMilliseconds: Self.pauseMilliseconds), of: hold)
            }
            if await call.value() == .delivered { try await note(.delivered, of: hold) }
        } catch {
            logger.warnUnlessCancelled("a delivery's end cannot be noted", error)
        }
        _ = await call.value()
    }

    /// Keeps the claim while `body` runs, which ends when it is cancelled.
    /// - Returns: what `body` returned; nil when the claim was lost or given up before, and when the task is cancelled.
    private func keeping<Value: Sendable>(
        _ hold: DeliveryHold,
        while body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                await keep(hold)
                return nil
            }
            group.addTask { await body() }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Renews a claim until the task is cancelled, the claim is lost, or there was no progress for too long.
    private func keep(_ hold: DeliveryHold) async {
        while (try? await clock.sleep(for: Self.renewing)) != nil, hold.look(most: Self.mostIdleRenewals) {
            let age = Stopwatch(on: clock)
            do {
                guard let renewed = try await store.renew(hold.claim) else { return }
                hold.renew(renewed, since: age)
            } catch {
                logger.warnUnlessCancelled("a delivery's claim cannot be renewed", error)
            }
        }
    }

    /// Opens a movie, and begins to put it at its place.
    private func begin(_ hold: DeliveryHold, on thread: FolderThread) async -> PendingCall<DeliveryOutcome> {
        let due = hold.claim
        do {
            guard let target = try? OutputTarget(due.target), let place = folders.place(target) else {
                throw OutputPlace.Refusal(description: "\(due.target) is in no output folder of this coordinator.")
            }
            let movie = try await artifacts.open(due.artifact)
            hold.watch()
            return thread.begin { put(movie, due, at: place, hold) }
        } catch {
            return PendingCall(Self.failure(error))
        }
    }

    /// Puts a movie at its place. Blocks.
    private func put(
        _ movie: StoredFile,
        _ due: DueDelivery,
        at place: OutputPlace,
        _ hold: DeliveryHold
    ) -> DeliveryOutcome {
        do {
            let how = try place.deliver(
                movie,
                replacing: due.replaces,
                for: due.job.description,
                while: { hold.goesOn($0) }
            )
            logger.info("movie delivered", metadata: ["job": "\(due.job)", "to": "\(due.target)", "how": "\(how)"])
            return .delivered
        } catch {
            return Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> DeliveryOutcome {
        let reason = (error as? StorageError)?.sentenceWithoutPaths ?? "\(error)"
        return .failed(reason, retryMilliseconds: pauseMilliseconds)
    }
}
