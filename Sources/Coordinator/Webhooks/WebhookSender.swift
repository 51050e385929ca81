import Farm
import Logging
import ServiceLifecycle
import Synchronization
import WireProtocol

/// Sends the messages of webhooks as they are due. Every coordinator that may send does; a lease in the database gives each
/// message to one of them at a time.
final class WebhookSender: Service {
    /// The number of messages that are sent at a time, each to another webhook.
    private static let laneCount = 8
    /// The time between two looks for messages that are due.
    static let interval: Duration = .seconds(1)
    /// The length of a lease: more than looking up, sending and noting may take.
    static let leaseMilliseconds: Int64 = 60_000
    /// How long a message is kept after it was delivered or given up, in milliseconds.
    static let keptMilliseconds: Int64 = 30 * 86_400_000

    private let store: any WebhookStore
    private let transport: WebhookTransport
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let busy = Mutex(0)

    init(store: any WebhookStore, transport: WebhookTransport, clock: any Clock<Duration>, logger: Logger) {
        (self.store, self.transport, self.clock, self.logger) = (store, transport, clock, logger)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.forgetOld() }
                repeat { await look(&group) } while (try? await clock.sleep(for: Self.interval)) != nil
            }
        }
    }

    /// Begins to send what is due, as far as lanes are free.
    private func look(_ group: inout DiscardingTaskGroup) async {
        do {
            while takeLane() {
                guard let claim = try await store.claimDelivery(forMilliseconds: Self.leaseMilliseconds) else {
                    return leaveLane()
                }
                group.addTask {
                    await self.sendAll(from: claim)
                    self.leaveLane()
                }
            }
        } catch {
            leaveLane()
            complain(error)
        }
    }

    private func takeLane() -> Bool {
        busy.withLock { busy in
            guard busy < Self.laneCount else { return false }
            busy += 1
            return true
        }
    }

    private func leaveLane() { busy.withLock { $0 -= 1 } }

    private func complain(_ error: any Error) {
        logger.warnUnlessCancelled("webhooks cannot be sent", error)
    }

    /// Sends a message, and others until none is due.
    private func sendAll(from first: ClaimedDelivery) async {
        var next: ClaimedDelivery? = first
        while let claim = next {
            let outcome = await transport.send(claim)
            // An attempt that a shutdown broke off counts for nothing: its lease ends, and another coordinator sends.
            if Task.isCancelled, case .failed = outcome { return }
            let (store, clock) = (store, clock)
            await shieldedFromCancellation(waitingAtMost: .seconds(5), on: clock) {
                _ = try await store.endAttempt(claim, outcome)
            }
            note(outcome, claim)
            do {
                next = Task.isCancelled ? nil : try await store.claimDelivery(forMilliseconds: Self.leaseMilliseconds)
            } catch {
                next = nil
                complain(error)
            }
        }
    }

    private func forgetOld() async {
        repeat {
            do {
                while try await store.forgetDeliveries(endedBefore: Self.keptMilliseconds, limit: 1000) == 1000 {}
            } catch {
                complain(error)
            }
        } while (try? await clock.sleep(for: .seconds(3600))) != nil
    }

    private func note(_ outcome: WebhookOutcome, _ claim: ClaimedDelivery) {
        var metadata: Logger.Metadata = [
            "message": "\(claim.id)", "webhook": "\(claim.webhook)", "attempt": "\(claim.attemptCount)",
        ]
        switch outcome {
        case .delivered(let status):
            metadata["status"] = "\(status)"
            logger.info("webhook delivered", metadata: metadata)
        case .failed(let status, let reason, _):
            if let status { metadata["status"] = "\(status)" }
            metadata["reason"] = "\(reason)"
            logger.warning("webhook not delivered", metadata: metadata)
        }
    }
}
