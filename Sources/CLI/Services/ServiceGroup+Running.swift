import Logging
import ServiceLifecycle
import UnixSignals

extension ServiceGroup {
    /// Runs until SIGTERM or SIGINT, or until one of the services ends.
    static func runUntilSignalled(_ services: [any Service], logger: Logger) async throws {
        try await group(services, signals: [.sigterm, .sigint], logger: logger).run()
    }

    /// Runs until the task is cancelled, or until one of the services ends; both shut the services down in order.
    static func runUntilCancelled(_ services: [any Service], logger: Logger) async throws {
        let group = group(services, signals: [], logger: logger)
        // The group is not a child of this task, whose cancellation would cancel the services.
        let running = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }

    private static func group(_ services: [any Service], signals: [UnixSignal], logger: Logger) -> ServiceGroup {
        var quiet = logger
        quiet.logLevel = .warning
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    .init(
                        service: $0,
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup
                    )
                },
                gracefulShutdownSignals: signals,
                logger: quiet
            )
        )
    }
}
