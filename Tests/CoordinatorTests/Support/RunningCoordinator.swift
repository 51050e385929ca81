import Coordinator
import Farm
import Foundation
import Logging
import Sandbox
import ServiceLifecycle
import Storage
import TestSupport
import Testing
import WireProtocol

/// A coordinator in this process on a port of its own, asked by curl. Stopped by ``stop()``.
final class RunningCoordinator: Sendable {
    static let tokens = """
        viewer view viewer-token-000000
        editor submit editor-token-000000
        other submit other-token-0000000
        farm worker worker-token-000000
        boss admin admin-token-0000000
        """

    let port: Int
    let store: InMemoryFarmStore
    let folder: TemporaryFolder
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// - Parameters:
    ///   - policy: the numbers by which its farm decides.
    ///   - clock: the farm's clock; one that stands where a machine that is slow must change nothing.
    static func start(
        policy: FarmPolicy = FarmPolicy(),
        clock: FarmClock = .system,
        _ adjust: (inout CoordinatorConfiguration, TemporaryFolder) throws -> Void = { _, _ in }
    ) async throws -> RunningCoordinator {
        let folder = try TemporaryFolder()
        let store = InMemoryFarmStore(policy: policy, identifiers: IdentifierSource(), clock: clock)
        var configuration = CoordinatorConfiguration(
            store: store,
            artifactRoot: folder.path("artifacts"),
            tokens: try TokenBook(text: tokens),
            renderer: try FakeRenderer.make(in: folder),
            logger: Logger(label: "test") { JSONLogHandler(label: $0, level: .critical) }
        )
        configuration.port = 0
        configuration.allowedRoots = [folder.path("footage")]
        try FileManager.default.createDirectory(atPath: folder.path("footage"), withIntermediateDirectories: true)
        try adjust(&configuration, folder)
        return try await RunningCoordinator(configuration, store, folder)
    }

    private init(
        _ configuration: CoordinatorConfiguration,
        _ store: InMemoryFarmStore,
        _ folder: TemporaryFolder
    ) async throws {
        var configuration = configuration
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        configuration.onReady = { ready.yield($0) }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [CoordinatorService(configuration)],
                logger: configuration.logger
            )
        )
        let running = Task { [group] in
            defer { ready.finish() }
            try await group.run()
        }
        var port: Int?
        for await bound in ports {
            port = bound
            break
        }
        guard let port else {
            try await running.value
            throw CancellationError()
        }
        (self.port, self.store, self.folder, self.group, self.running) = (port, store, folder, group, running)
    }

    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
    }

    /// - Parameters:
    ///   - token: of whom, by scope; nil sends none.
    ///   - extra: more of curl's arguments.
    ///   - isReal: whether the answer is one that the API's document has to describe.
    func call(
        _ method: String,
        _ path: String,
        as token: String? = "admin",
        body: String? = nil,
        headers: [String] = [],
        extra: [String] = [],
        isReal: Bool = true
    ) async throws -> HTTPAnswer {
        var arguments = ["-sS", "-i", "-H", "Expect:"]
        arguments += method == "HEAD" ? ["-I"] : ["-X", method]
        if let token { arguments += ["-H", "Authorization: Bearer \(secret(token))"] }
        if let body {
            // Linux takes an argument of up to 128 KiB.
            let file = folder.path(UUID().uuidString)
            let isLong = body.utf8.count > 100_000
            if isLong { try Data(body.utf8).write(to: URL(fileURLWithPath: file)) }
            arguments += ["-H", "Content-Type: application/json", "--data-binary", isLong ? "@" + file : body]
        }
        for header in headers { arguments += ["-H", header] }
        let outcome = try await Shell.run("curl", arguments + extra + ["http://127.0.0.1:\(port)\(path)"])
        guard outcome.exitCode == 0 else {
            throw CurlFailed(description: "curl \(outcome.exitCode): \(outcome.errors)")
        }
        let answer = try HTTPAnswer(outcome.output)
        if isReal { try compareWithDocument(answer, method, path) }
        return answer
    }

    /// Every answer to every test is as the document of the API says.
    private func compareWithDocument(_ answer: HTTPAnswer, _ method: String, _ path: String) throws {
        let document = try OpenAPIDocument.shared.get()
        guard let operation = document.operation(method, at: path) else { return }
        if let complaint = document.complaint(about: answer, to: operation) {
            Issue.record("openapi.json does not describe an answer to \(method) \(path): \(complaint)")
        }
    }

    func post(_ path: String, _ value: some Encodable, as token: String = "worker") async throws -> HTTPAnswer {
        try await call("POST", path, as: token, body: String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }

    func upload(_ data: Data, to path: String, as token: String = "worker") async throws -> HTTPAnswer {
        let file = folder.path(UUID().uuidString)
        try data.write(to: URL(fileURLWithPath: file))
        return try await call("PUT", path, as: token, extra: ["-T", file])
    }

    func secret(_ scope: String) -> String {
        let known = ["viewer", "editor", "other", "worker", "admin"]
        return known.contains(scope) ? scope + "-token-" + String(repeating: "0", count: 12 - scope.count) : scope
    }
}

struct CurlFailed: Error, CustomStringConvertible {
    let description: String
}

/// Starts a coordinator, runs `body`, stops it also when that throws.
func withCoordinator(
    policy: FarmPolicy = FarmPolicy(),
    clock: FarmClock = .system,
    _ adjust: (inout CoordinatorConfiguration, TemporaryFolder) throws -> Void = { _, _ in },
    _ body: (RunningCoordinator) async throws -> Void
) async throws {
    let coordinator = try await RunningCoordinator.start(policy: policy, clock: clock, adjust)
    do {
        try await body(coordinator)
    } catch {
        try? await coordinator.stop()
        throw error
    }
    try await coordinator.stop()
}
