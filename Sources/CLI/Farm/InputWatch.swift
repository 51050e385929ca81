import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Ends when standard input closes: the process that started this one, and holds its other end, is gone.
struct InputWatch: Service {
    func run() async throws {
        let (closed, close) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            close.finish()
        }
        for await _ in closed.cancelOnGracefulShutdown() {}
    }
}

extension ServiceGroup {
    /// Runs until SIGTERM or SIGINT, or until one of the services ends.
    static func runUntilSignalled(_ services: [any Service], logger: Logger) async throws {
        var quiet = logger
        quiet.logLevel = .warning
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    .init(
                        service: $0,
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup
                    )
                },
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: quiet
            )
        )
        try await group.run()
    }
}
