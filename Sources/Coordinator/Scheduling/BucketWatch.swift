import Logging
import ServiceLifecycle
import Storage
import Synchronization

/// Asks the farm's bucket now and then whether it can be used. Tasks that are granted while it cannot fail one after the
/// other, or hold a slot until it can.
final class BucketWatch: Service {
    private let ask: @Sendable () async throws -> Void
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let state = Mutex(false)

    /// The pause between two questions, and the one after a question that failed.
    static let (interval, retryInterval) = (Duration.seconds(5), Duration.seconds(1))

    /// - Parameter ask: throws when the bucket does not answer, within some seconds, or refuses.
    init(clock: any Clock<Duration>, logger: Logger, ask: @escaping @Sendable () async throws -> Void) {
        (self.ask, self.clock, self.logger) = (ask, clock, logger)
    }

    /// Whether the last two questions failed.
    var isAway: Bool { state.withLock { $0 } }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            var failures = 0
            while !Task.isCancelled {
                do {
                    try await ask()
                    failures = 0
                    set(isAway: false)
                } catch {
                    if Task.isCancelled { return }
                    failures += 1
                    // One question may be lost on the way.
                    if failures > 1 { set(isAway: true, because: "\(error)") }
                }
                try? await clock.sleep(for: failures == 0 ? Self.interval : Self.retryInterval)
            }
        }
    }

    private func set(isAway: Bool, because cause: String = "") {
        let wasAway = state.withLock { state in
            defer { state = isAway }
            return state
        }
        guard wasAway != isAway else { return }
        if isAway {
            logger.warning("the bucket cannot be used: nothing new begins", metadata: ["error": "\(cause)"])
        } else {
            logger.notice("the bucket can be used again")
        }
    }
}
