import Client
import Foundation
import Shared
import Storage

/// A whole farm on this machine for as long as one command needs it: a coordinator with its own PostgreSQL and workers,
/// processes of their own that speak HTTP with a token made for this run. They end when this process does, however.
struct LocalFarm: Sendable {
    let workers: Int
    /// Folder below which the farm's own folder is made, and removed at the end.
    let stateFolder: String
    let allowUnsandboxed: Bool

    /// Starts the farm, calls `body`, stops the farm and removes all it had on disk.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (CoordinatorConnection) async throws -> Value
    ) async throws -> Value {
        let folder = try LocalFarm.runFolder(below: stateFolder)
        defer { withExtendedLifetime(folder) {} }
        let tokens = try RunTokens(in: folder.path)
        let lifeline = try Lifeline()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            let coordinator = coordinator(in: folder.path, tokens: tokens, lifeline: lifeline)
            group.addTask {
                try await coordinator.supervise()
                return nil
            }
            let address = try await address(in: folder.path, of: coordinator, group: &group)
            for number in 1...workers {
                let worker = worker(number, of: address, in: folder.path, tokens: tokens, lifeline: lifeline)
                group.addTask {
                    try await worker.supervise()
                    return nil
                }
            }
            let connection = try CoordinatorConnection(baseURL: address, token: tokens.user)
            group.addTask { try await body(connection) }
            defer { group.cancelAll() }
            while let finished = try await group.next() {
                if let finished { return finished }
            }
            throw CancellationError()
        }
    }

    /// The user `postgres` must be able to enter it; what is secret in it is for this user alone.
    private static func runFolder(below parent: String) throws -> ScratchFolder {
        ScratchFolder.sweep(below: parent, named: "run-")
        return try ScratchFolder(below: parent, named: "run-", mode: 0o755)
    }

    private func coordinator(in folder: String, tokens: RunTokens, lifeline: Lifeline) -> SupervisedProcess {
        SupervisedProcess(
            name: "coordinator",
            arguments: [
                "coordinator", "--state", folder + "/state", "--port", "0", "--token-file", tokens.file,
                "--address-file", folder + "/address", "--asset-root", "/", "--ephemeral", "--until-input-closes",
            ] + sandboxFlag,
            // Once a port was found it stays the same: workers know it.
            restartArguments: { arguments in
                guard let port = LocalFarm.address(in: folder)?.split(separator: ":").last else { return arguments }
                return arguments.map { $0 == "0" ? String(port) : $0 }
            },
            log: folder + "/coordinator.log",
            lifeline: lifeline
        )
    }

    private func worker(
        _ number: Int,
        of address: String,
        in folder: String,
        tokens: RunTokens,
        lifeline: Lifeline
    ) -> SupervisedProcess {
        SupervisedProcess(
            name: "worker \(number)",
            arguments: [
                "worker", "--coordinator", address, "--token-file", tokens.workerFile, "--name", "local-\(number)",
                "--cache", folder + "/cache", "--drain-seconds", "0", "--until-input-closes",
            ] + sandboxFlag,
            restartArguments: { $0 },
            log: folder + "/worker-\(number).log",
            lifeline: lifeline
        )
    }

    private var sandboxFlag: [String] { allowUnsandboxed ? ["--allow-unsandboxed"] : [] }

    /// Waits until the coordinator listens.
    private func address<Value>(
        in folder: String,
        of coordinator: SupervisedProcess,
        group: inout ThrowingTaskGroup<Value?, any Error>
    ) async throws -> String {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(120) {
            if let address = LocalFarm.address(in: folder) { return address }
            // A coordinator that cannot start ends its task with the reason.
            if coordinator.hasGivenUp { _ = try await group.next() }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw CommandFailure(.internalError, "The coordinator did not start within two minutes.")
    }

    private static func address(in folder: String) -> String? {
        guard let data = FileManager.default.contents(atPath: folder + "/address"), !data.isEmpty else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
