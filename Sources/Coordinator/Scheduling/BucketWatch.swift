import Logging
import ServiceLifecycle
import Storage
import Synchronization

/// Asks the farm's bucket now and then whether it is there. Tasks that are granted while it is away fail one after the other,
/// or hold a slot until it is back.
final class BucketWatch: Service {
    private let ask: @Sendable () async throws -> Void
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let silent = Mutex(false)

    /// The pause between two questions while the bucket answers, and while it does not.
    private static let (calm, anxious) = (Duration.seconds(5), Duration.seconds(1))

    /// - Parameter ask: throws when the bucket does not answer, within seconds.
    init(clock: any Clock<Duration>, logger: Logger, ask: @escaping @Sendable () async throws -> Void) {
        (self.ask, self.clock, self.logger) = (ask, clock, logger)
    }

    /// Whether the last two questions found no answer.
    var isSilent: Bool { silent.withLock { $0 } }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            var failures = 0
            while !Task.isCancelled {
                do {
                    try await ask()
                    failures = 0
                    note(false)
                } catch {
                    if Task.isCancelled { return }
                    failures += 1
                    // One question may be lost on the way.
                    if failures > 1 { note(true, "\(error)") }
                }
                try? await clock.sleep(for: failures == 0 ? Self.calm : Self.anxious)
            }
        }
    }

    private func note(_ isSilent: Bool, _ why: String = "") {
        let wasSilent = silent.withLock { silent in
            defer { silent = isSilent }
            return silent
        }
        guard wasSilent != isSilent else { return }
        if isSilent {
            logger.warning("the bucket does not answer: nothing new begins", metadata: ["error": "\(why)"])
        } else {
            logger.notice("the bucket answers again")
        }
    }
}
