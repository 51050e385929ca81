package import Logging

/// Listens to channels on a connection of its own and comes back after every loss of it.
package struct NotificationListener: Sendable {
    /// The events that are handed on, in order.
    package enum Event: Sendable, Hashable {
        /// Listening from now on. What was notified before this, since the last loss or since ever, was not heard:
        /// read the tables.
        case listening
        /// A notification.
        case heard(Notification)
    }

    private let target: ConnectionTarget
    private let channels: [String]
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// - Parameters:
    ///   - channels: plain lower-case identifiers.
    ///   - clock: the clock of the pauses after a loss.
    package init(
        target: ConnectionTarget,
        channels: [String],
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.target = target
        self.channels = channels
        self.clock = clock
        self.logger = logger
    }

    /// Calls `handle` for each event in order until the task is cancelled. Never throws: it tries again, after
    /// 100 ms at first and 2 s at the most.
    package func run(_ handle: @Sendable (Event) async -> Void) async {
        var pause = Duration.milliseconds(100)
        while !Task.isCancelled {
            do {
                try await listen { event in
                    pause = .milliseconds(100)
                    await handle(event)
                }
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("listening to the database stopped: \(error)")
                try? await clock.sleep(for: pause)
                pause = min(pause * 2, .seconds(2))
            }
        }
    }

    private func listen(_ handle: (Event) async -> Void) async throws {
        let connection = try await Connection.open(target, logger: logger)
        for channel in channels { try await connection.execute("LISTEN \(channel)") }
        await handle(.listening)
        while !Task.isCancelled {
            for notification in try await connection.notifications(within: .milliseconds(250)) {
                await handle(.heard(notification))
            }
        }
    }
}
